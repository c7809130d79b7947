#if canImport(CCurl) && !canImport(UIKit)
extension FutureImage.CurlFetcher {
  /// The settings of a fetcher's connections to servers.
  struct Configuration: Sendable {
    var version = HTTPVersion.http2
    /// At least 1.
    var maxConnections = 96
    var proxy = Proxy.environment
    var certificateAuthorities: URL?
    var userAgent = "FutureImage"
  }

  /// The newest version of HTTP to use.
  public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.1 with connections that stay open.
    case http1
    /// HTTP/2 with https servers that offer it, with many exchanges per connection. HTTP/1.1 with other servers. In tests with libcurl 7.88
    /// and 8.23, no exchange failed over HTTP/2 that does not fail over HTTP/1.1 (`CurlFetcherHTTP2Tests`, `NginxTests`).
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
    // libcurl's own option for codings is not used, because libcurl would then reject responses that name certain codings.
    request.fields(defaults: [("User-Agent", userAgent), ("Accept-Encoding", ContentCoding.accepted)]).map { name, value in
      // To libcurl, "name:" means to omit the field, and "name;" means the field without a value.
      value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
  }
}
#endif
