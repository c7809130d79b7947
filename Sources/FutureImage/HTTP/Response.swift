extension FutureImage {
  /// The part of a response before its body.
  public struct Response: Sendable {
    /// The HTTP status; 200 if the source has none.
    public var status: Int
    /// The header fields by lowercase name, whatever the case in the initializer; repeated fields are joined by ", ".
    public var headers: [String: String]
    /// The length in bytes of the body as it is delivered, if known in advance; nil for a compressed body.
    public var expectedBytes: Int?

    public init(status: Int, headers: [String: String] = [:], expectedBytes: Int? = nil) {
      self.status = status
      self.headers = headers.withLowercaseNames
      self.expectedBytes = expectedBytes
    }
  }
}

extension [String: String] {
  /// The same fields by lowercase names. Names that differ only in case are joined, in an order that does not change from run to run.
  fileprivate var withLowercaseNames: Self {
    // The library's own fetchers give lowercase names, which are not copied.
    guard keys.contains(where: { $0.utf8.contains { (65...90).contains($0) } }) else { return self }
    return Dictionary(sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) }) { "\($0), \($1)" }
  }
}
