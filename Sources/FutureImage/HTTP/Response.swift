extension FutureImage {
  /// The part of a response before its body.
  public struct Response: Sendable {
    /// The HTTP status; 200 if the source has none.
    public var status: Int
    /// The header fields by lower-case name; repeated fields are joined by ", ".
    public var headers: [String: String]
    /// The length in bytes of the body as it is delivered, if known in advance; nil for a compressed body.
    public var expectedBytes: Int?

    public init(status: Int, headers: [String: String] = [:], expectedBytes: Int? = nil) {
      self.status = status
      self.headers = headers
      self.expectedBytes = expectedBytes
    }
  }
}
