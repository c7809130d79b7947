extension FutureImage {
  /// A type that a wrapped property may have: a future; an optional, an array, or a dictionary of them; or these in each other.
  public protocol Shape {
    /// The same shape with the JSON's text for each image.
    associatedtype Texts: Codable & Hashable & Sendable
    /// The same shape with an unmade future for each image.
    associatedtype Lazies: Sendable

    /// Returns for each text the object that will make its future, but makes none yet.
    /// - Throws: the error of `make`, for a text that names no image.
    static func lazies(for texts: Texts, at position: Position, _ make: (FeedText, Position) throws -> Lazy) rethrows -> Lazies
    /// Returns the futures, and makes them if they are not made yet.
    static func touch(_ lazies: Lazies) -> Self
    /// Whether there is an image: without one, a collection omits the element, and an optional is nil.
    static func hasPicture(_ lazies: Lazies) -> Bool
    /// Returns the texts that represent futures made by the app.
    static func texts(of value: Self) -> Texts
    /// Wraps futures made by the app.
    static func lazies(of value: Self) -> Lazies
    /// All futures in the value; those of a dictionary in any order.
    var futures: [FutureImage] { get }
  }
}

extension FutureImage.Shape {
  public static func hasPicture(_ lazies: Lazies) -> Bool { true }
}

extension FutureImage: FutureImage.Shape {
  public static func lazies(
    for text: FeedText, at position: Position, _ make: (FeedText, Position) throws -> Lazy
  ) rethrows -> Lazy {
    try make(text, position)
  }

  public static func touch(_ lazy: Lazy) -> FutureImage { lazy.future }
  public static func hasPicture(_ lazy: Lazy) -> Bool { lazy.hasPicture }
  public static func texts(of value: FutureImage) -> FeedText { FeedText(of: value) }
  public static func lazies(of value: FutureImage) -> Lazy { Lazy(value.root) }
  public var futures: [FutureImage] { [self] }
}

extension Optional: FutureImage.Shape where Wrapped: FutureImage.Shape {
  public static func lazies(
    for texts: Wrapped.Texts?, at position: FutureImage.Position,
    _ make: (FutureImage.FeedText, FutureImage.Position) throws -> FutureImage.Lazy
  ) rethrows -> Wrapped.Lazies? {
    try texts.map { try Wrapped.lazies(for: $0, at: position.optional, make) }
  }

  public static func touch(_ lazies: Wrapped.Lazies?) -> Wrapped? {
    lazies.flatMap { Wrapped.hasPicture($0) ? Wrapped.touch($0) : nil }
  }

  public static func texts(of value: Wrapped?) -> Wrapped.Texts? { value.map { Wrapped.texts(of: $0) } }
  public static func lazies(of value: Wrapped?) -> Wrapped.Lazies? { value.map { Wrapped.lazies(of: $0) } }
  public var futures: [FutureImage] { self?.futures ?? [] }
}

// Elements are used independently of each other, so the future of each starts its fetch at its own first use.
extension Array: FutureImage.Shape where Element: FutureImage.Shape {
  public static func lazies(
    for texts: [Element.Texts], at position: FutureImage.Position,
    _ make: (FutureImage.FeedText, FutureImage.Position) throws -> FutureImage.Lazy
  ) rethrows -> [Element.Lazies] {
    var lazies: [Element.Lazies] = []
    lazies.reserveCapacity(texts.count)
    for (index, text) in texts.enumerated() { lazies.append(try Element.lazies(for: text, at: position.element(index), make)) }
    return lazies
  }

  public static func touch(_ lazies: [Element.Lazies]) -> [Element] {
    lazies.lazy.filter { Element.hasPicture($0) }.map { Element.touch($0) }
  }

  public static func texts(of value: [Element]) -> [Element.Texts] { value.map { Element.texts(of: $0) } }
  public static func lazies(of value: [Element]) -> [Element.Lazies] { value.map { Element.lazies(of: $0) } }
  public var futures: [FutureImage] { flatMap(\.futures) }
}

extension Dictionary: FutureImage.Shape where Key == String, Value: FutureImage.Shape {
  public static func lazies(
    for texts: [String: Value.Texts], at position: FutureImage.Position,
    _ make: (FutureImage.FeedText, FutureImage.Position) throws -> FutureImage.Lazy
  ) rethrows -> [String: Value.Lazies] {
    var lazies: [String: Value.Lazies] = [:]
    lazies.reserveCapacity(texts.count)
    for (name, text) in texts { lazies[name] = try Value.lazies(for: text, at: position.element(name), make) }
    return lazies
  }

  public static func touch(_ lazies: [String: Value.Lazies]) -> [String: Value] {
    lazies.filter { Value.hasPicture($0.value) }.mapValues { Value.touch($0) }
  }

  public static func texts(of value: [String: Value]) -> [String: Value.Texts] { value.mapValues { Value.texts(of: $0) } }
  public static func lazies(of value: [String: Value]) -> [String: Value.Lazies] { value.mapValues { Value.lazies(of: $0) } }
  public var futures: [FutureImage] { values.flatMap(\.futures) }
}
