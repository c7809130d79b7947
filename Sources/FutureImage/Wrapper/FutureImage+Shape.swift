extension FutureImage {
  /// What a wrapped property may hold: a future, an optional one.
  public protocol Shape {
    /// The same shape with the text of a URL for each future, as it stands in JSON.
    associatedtype Texts: Codable & Hashable & Sendable
    /// The same shape with a future not yet made for each.
    associatedtype Lazies: Sendable

    static func lazies(for texts: Texts, _ make: (String) throws -> Lazy) rethrows -> Lazies
    static func touch(_ lazies: Lazies) -> Self
  }
}

extension FutureImage: FutureImage.Shape {
  public static func lazies(for text: String, _ make: (String) throws -> Lazy) rethrows -> Lazy { try make(text) }
  public static func touch(_ lazy: Lazy) -> FutureImage { lazy.future }
}

extension Optional: FutureImage.Shape where Wrapped: FutureImage.Shape {
  public static func lazies(
    for texts: Wrapped.Texts?, _ make: (String) throws -> FutureImage.Lazy
  ) rethrows -> Wrapped.Lazies? {
    try texts.map { try Wrapped.lazies(for: $0, make) }
  }

  public static func touch(_ lazies: Wrapped.Lazies?) -> Wrapped? { lazies.map { Wrapped.touch($0) } }
}
