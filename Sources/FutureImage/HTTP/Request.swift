extension FutureImage {
  /// The request of one exchange.
  public struct Request: Sendable {
    /// The URL to fetch. Its user name and password are for the server, and must not appear in messages.
    public var url: URL
    /// Header fields to send, in addition to those that the fetcher adds.
    public var headers: [String: String]
    /// The maximum duration of the whole exchange.
    public var timeout: Duration
    /// The time without an arriving byte after which the exchange fails.
    public var stallTimeout: Duration
    /// The networks that the exchange must avoid, if the fetcher can identify them. If no other network is available, the exchange fails
    /// with `.transport(.avoidedNetwork)`.
    public var avoidedNetworks: Set<NetworkTrait>

    public init(
      url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60), stallTimeout: Duration = .seconds(15),
      avoidedNetworks: Set<NetworkTrait> = []
    ) {
      self.url = url
      self.headers = headers
      self.timeout = timeout
      self.stallTimeout = stallTimeout
      self.avoidedNetworks = avoidedNetworks
    }
  }
}

extension FutureImage.Request: CustomStringConvertible, _Opaque {
  /// The URL without credentials, and the names of the header fields without their values.
  ///
  ///     Request(https://example.com/a.jpg, header fields: Authorization, If-None-Match)
  public var description: String {
    // A data URL contains the whole image.
    let place = CanonicalURL.isData(url) ? "a data URL" : CanonicalURL(url).redacted
    let names = headers.keys.sorted().joined(separator: ", ")
    return "Request(\(place)\(names.isEmpty ? "" : ", header fields: \(names)"))"
  }
}
