extension FutureImage {
  /// The request of one exchange.
  public struct Request: Sendable {
    /// The URL to fetch. Its user name and password are for the server, and must not appear in messages.
    public var url: URL
    /// Header fields to send, in addition to those that the fetcher adds.
    public var headers: [String: String]
    /// The maximum duration of the whole exchange.
    public var timeout: Duration
    /// The maximum time without a byte before the exchange fails.
    public var stallTimeout: Duration
    /// The maximum size of all header fields together, in bytes.
    public var maxHeaderBytes: Int
    /// Networks that the exchange must avoid, if the fetcher can identify them; it then fails with `.transport(.avoidedNetwork)`.
    public var avoidedNetworks: NetworkTraits

    public init(
      url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60), stallTimeout: Duration = .seconds(15),
      maxHeaderBytes: Int = 64 << 10, avoidedNetworks: NetworkTraits = []
    ) {
      self.url = url
      self.headers = headers
      self.timeout = timeout
      self.stallTimeout = stallTimeout
      self.maxHeaderBytes = maxHeaderBytes
      self.avoidedNetworks = avoidedNetworks
    }
  }
}
