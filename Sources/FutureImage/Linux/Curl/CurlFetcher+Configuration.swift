#if canImport(CCurl) && !canImport(UIKit)
import Foundation

extension FutureImage.CurlFetcher {
  /// The settings of a fetcher's connections to servers.
  struct Configuration: Sendable {
    var version = HTTPVersion.http2
    /// The maximum number of exchanges at once, and of connections that stay open for later exchanges, at least 1. It is limited to an
    /// eighth of the process's file descriptors. Further exchanges wait in order.
    var maxConnections = 96
    var proxy = Proxy.environment
    /// A file of PEM certificates to trust instead of the system's certificates. By default, the environment variable `SSL_CERT_FILE` names
    /// this file, as for OpenSSL and the curl program.
    var certificateAuthorities = Self.authoritiesOfEnvironment
    /// The `User-Agent` for requests that do not set this field.
    var userAgent = "FutureImage"

    private static var authoritiesOfEnvironment: URL? {
      let path = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] ?? ""
      return path.isEmpty ? nil : URL(fileURLWithPath: path)
    }
  }

  /// The newest version of HTTP to use.
  enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.1 with connections that stay open.
    case http1
    /// HTTP/2 with https servers that offer it, with many exchanges per connection. HTTP/1.1 with other servers. In tests with libcurl 7.88
    /// and 8.23, each exchange that failed over HTTP/2 also failed over HTTP/1.1 (`CurlFetcherHTTP2Tests`, `NginxTests`).
    case http2
  }

  /// The proxy between this computer and the servers.
  enum Proxy: Sendable, Hashable {
    /// The settings in the environment variables `http_proxy`, `https_proxy`, `all_proxy`, and `no_proxy`, as in other command-line
    /// programs.
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
