#if canImport(CCurl) && !canImport(UIKit)
extension FutureImage.CurlFetcher {
  /// The settings of a fetcher's connections to servers.
  public struct Configuration: Sendable {
    /// The newest HTTP version to use; HTTP/2 by default.
    public var version: HTTPVersion
    /// The maximum number of exchanges at once, and of connections kept open for later ones: at most an eighth of the process's file
    /// descriptors. Further exchanges wait in order.
    public var maxConnections: Int
    /// The proxy; taken from the environment by default.
    public var proxy: Proxy
    /// A file of PEM certificates to trust instead of the system's.
    public var certificateAuthorities: URL?
    /// The `User-Agent` for requests without one.
    public var userAgent: String

    public init(
      version: HTTPVersion = .http2, maxConnections: Int = 96, proxy: Proxy = .environment, certificateAuthorities: URL? = nil,
      userAgent: String = "FutureImage"
    ) {
      self.version = version
      self.maxConnections = max(1, maxConnections)
      self.proxy = proxy
      self.certificateAuthorities = certificateAuthorities
      self.userAgent = userAgent
    }
  }

  /// The newest version of HTTP to use.
  public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.1 with connections kept open.
    case http1
    /// HTTP/2 with https servers that offer it, with many exchanges per connection; otherwise HTTP/1.1. In tests with libcurl 7.88 and
    /// 8.23, it lost nothing that HTTP/1.1 does not lose (`CurlFetcherHTTP2Tests`, `NginxTests`).
    case http2
  }

  /// The proxy between this computer and the servers.
  public enum Proxy: Sendable, Hashable {
    /// The settings in `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`, as in other command-line programs.
    case environment
    /// No proxy, regardless of the environment.
    case none
    /// This proxy for every exchange: `http://host:port`, or a URL with the scheme socks4, socks5 or https.
    case url(URL)
  }
}

extension FutureImage.CurlFetcher.Configuration {
  /// Returns the header lines to pass to libcurl for a request.
  func lines(for request: FutureImage.Request) -> [String] {
    // Does not use libcurl's own option for codings: with that, libcurl rejects responses by the codings they name.
    request.fields(defaults: [("User-Agent", userAgent), ("Accept-Encoding", ContentCoding.accepted)]).map { name, value in
      // To libcurl, "name:" means to omit the field, and "name;" means the field without a value.
      value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
  }
}
#endif
