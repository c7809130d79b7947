extension FutureImage {
  /// The part of a response before its body.
  public struct Response: Sendable {
    /// The HTTP status; 200 for a source that has no statuses.
    public var status: Int
    /// The header fields by lowercase name. The initializer accepts names in any case. The values of repeated fields are joined by ", ".
    public var headers: [String: String]
    /// The length in bytes of the body as it is delivered; nil if it is not known in advance, as for a compressed body.
    public var expectedBytes: Int?

    public init(status: Int, headers: [String: String] = [:], expectedBytes: Int? = nil) {
      self.status = status
      self.headers = headers.withLowercaseNames
      self.expectedBytes = expectedBytes
    }
  }
}

extension [String: String] {
  /// The same fields with lowercase names. If names differ only in case, their values are joined, in the same order in every run.
  fileprivate var withLowercaseNames: Self {
    // The library's own fetchers use lowercase names, so their fields are not copied.
    guard keys.contains(where: { $0.utf8.contains { (65...90).contains($0) } }) else { return self }
    return Dictionary(sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) }) { "\($0), \($1)" }
  }
}
