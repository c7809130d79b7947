#if canImport(CCurl) && !canImport(UIKit)
extension FutureImage.CurlFetcher {
  /// How a fetcher speaks with servers.
  public struct Configuration: Sendable {
    /// HTTP/2 unless said otherwise.
    public var version: HTTPVersion
    /// How many exchanges run at once, and how many connections are kept open for later ones: at most an eighth of the process's file
    /// descriptors. Further exchanges wait in order.
    public var maxConnections: Int
    /// By the environment unless said otherwise.
    public var proxy: Proxy
    /// A file of PEM certificates to trust instead of the system's.
    public var certificateAuthorities: URL?
    /// The `User-Agent` of requests that have none.
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

  /// The newest version of HTTP that is spoken.
  public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.1 with connections kept open.
    case http1
    /// HTTP/2 where an https server offers it, many exchanges to a connection; HTTP/1.1 elsewhere.
    /// With libcurl 7.88 and 8.23 it was found to lose nothing that HTTP/1.1 does not (`CurlFetcherHTTP2Tests`, `NginxTests`).
    case http2
  }

  /// What stands between this computer and the servers.
  public enum Proxy: Sendable, Hashable {
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, like other command-line programs.
    case environment
    /// Nothing, whatever the environment says.
    case none
    /// Every exchange goes through this proxy: `http://host:port`, or one of the schemes socks4, socks5, https.
    case url(URL)
  }
}

extension FutureImage.CurlFetcher.Configuration {
  /// The header lines that libcurl is given for a request.
  func lines(for request: FutureImage.Request) -> [String] {
    // Not by libcurl's own option, with which it refuses answers by what codings they name.
    request.fields(defaults: [("User-Agent", userAgent), ("Accept-Encoding", ContentCoding.accepted)]).map { name, value in
      // libcurl takes "name:" as a wish to leave the field out, and "name;" as the field without a value.
      value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
  }
}
#endif
