#if canImport(UIKit) || canImport(FoundationNetworking)
#if !canImport(UIKit)
import FoundationNetworking
#endif

extension FutureImage {
  /// Fetches http and https with URLSession: the default on Apple's platforms.
  ///
  /// The session is ephemeral and the fetcher's own: no cookie, credential or answer is kept. Redirects are handed on, not followed.
  /// User name and password in the URL are sent as Basic authentication unless the request has an `Authorization` field.
  ///
  /// Which connection carries a request is the system's to decide, and so is whether one that was kept open is sound: nothing public shows
  /// or chooses it before the request is sent.
  ///
  /// Elsewhere the URLSession of swift-corelibs-foundation has faults that no delegate can mend, so ``CurlFetcher`` is the default.
  public final class URLSessionFetcher: Fetcher {
    private let session: URLSession
    private let exchanges: URLSessionExchanges

    /// - Parameter maxConnectionsPerHost: How many connections to one host may be open at once.
    public init(maxConnectionsPerHost: Int = 6) {
      exchanges = URLSessionExchanges(.shared)
      session = exchanges.makeSession(maxConnectionsPerHost)
    }

    init(maxConnectionsPerHost: Int, clock: RunningClock) {
      exchanges = URLSessionExchanges(clock)
      session = exchanges.makeSession(maxConnectionsPerHost)
    }

    // A session keeps its delegate until it is told to end.
    deinit {
      session.invalidateAndCancel()
    }

    public func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try request.requireHTTP()
      try Task.checkCancellation()
      let exchange = URLSessionExchange(request, session.dataTask(with: request.forURLSession), exchanges.clock, receive)
      try await exchanges.runWithPriority(exchange)
    }
  }
}

extension URLSessionExchanges {
  /// Makes a session that reports to this delegate and stores nothing.
  fileprivate func makeSession(_ maxConnectionsPerHost: Int) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpMaximumConnectionsPerHost = maxConnectionsPerHost
    return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
  }
}

extension FutureImage.Request {
  fileprivate var forURLSession: URLRequest {
    var bare = URLComponents(url: url, resolvingAgainstBaseURL: true)
    bare?.user = nil
    bare?.password = nil
    // Elsewhere than on Apple's platforms a scheme in capitals is not known.
    bare?.scheme = url.scheme?.lowercased()
    var request = URLRequest(url: bare?.url ?? url)
    // The exchange watches the time itself, and leaves out suspensions, which the session counts: it reports a timeout at the resume
    // (Apple Developer Forums, thread 99991). So the session's limit is one that it does not reach.
    request.timeoutInterval = 86_400
    request.keepOff(avoidedNetworks)
    for (name, value) in fields() { request.setValue(value, forHTTPHeaderField: name) }
    if let user = url.user(percentEncoded: false), !names("Authorization") {
      let credentials = "\(user):\(url.password(percentEncoded: false) ?? "")"
      request.setValue("Basic " + Data(credentials.utf8).base64EncodedString(), forHTTPHeaderField: "Authorization")
    }
    return request
  }
}
#endif
