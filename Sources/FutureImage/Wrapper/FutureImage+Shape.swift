extension FutureImage {
  /// What a wrapped property may hold: a future, an optional, an array or a dictionary of them, and these in each other.
  public protocol Shape {
    /// The same shape with the text that stands in the JSON for each picture.
    associatedtype Texts: Codable & Hashable & Sendable
    /// The same shape with a future not yet made for each.
    associatedtype Lazies: Sendable

    /// Makes nothing yet: for each text what will make its future.
    /// - Throws: what `make` throws for a text that is no source.
    static func lazies(for texts: Texts, _ make: (String) throws -> Lazy) rethrows -> Lazies
    /// Makes the futures, if they are not made yet.
    static func touch(_ lazies: Lazies) -> Self
    /// All futures in it; of a dictionary in any order.
    var futures: [FutureImage] { get }
  }
}

extension FutureImage: FutureImage.Shape {
  public static func lazies(for text: String, _ make: (String) throws -> Lazy) rethrows -> Lazy { try make(text) }
  public static func touch(_ lazy: Lazy) -> FutureImage { lazy.future }
  public var futures: [FutureImage] { [self] }
}

extension Optional: FutureImage.Shape where Wrapped: FutureImage.Shape {
  public static func lazies(
    for texts: Wrapped.Texts?, _ make: (String) throws -> FutureImage.Lazy
  ) rethrows -> Wrapped.Lazies? {
    try texts.map { try Wrapped.lazies(for: $0, make) }
  }

  public static func touch(_ lazies: Wrapped.Lazies?) -> Wrapped? { lazies.map { Wrapped.touch($0) } }
  public var futures: [FutureImage] { self?.futures ?? [] }
}

extension Array: FutureImage.Shape where Element: FutureImage.Shape {
  public static func lazies(
    for texts: [Element.Texts], _ make: (String) throws -> FutureImage.Lazy
  ) rethrows -> [Element.Lazies] {
    try texts.map { try Element.lazies(for: $0, make) }
  }

  public static func touch(_ lazies: [Element.Lazies]) -> [Element] { lazies.map { Element.touch($0) } }
  public var futures: [FutureImage] { flatMap(\.futures) }
}

extension Dictionary: FutureImage.Shape where Key == String, Value: FutureImage.Shape {
  public static func lazies(
    for texts: [String: Value.Texts], _ make: (String) throws -> FutureImage.Lazy
  ) rethrows -> [String: Value.Lazies] {
    try texts.mapValues { try Value.lazies(for: $0, make) }
  }

  public static func touch(_ lazies: [String: Value.Lazies]) -> [String: Value] { lazies.mapValues { Value.touch($0) } }
  public var futures: [FutureImage] { values.flatMap(\.futures) }
}
