#if canImport(CoreGraphics) || canImport(FoundationNetworking)
#if !canImport(CoreGraphics)
import FoundationNetworking
#endif

extension FutureImage {
  /// The default fetcher on Apple's platforms, which fetches http and https URLs with URLSession.
  ///
  /// The fetcher has its own ephemeral session, which stores no cookies, credentials or responses. Redirects are delivered to the caller,
  /// not followed. A user name and password in the URL are sent as Basic authentication unless the request has an `Authorization` field.
  ///
  /// The system decides which connection carries a request, and whether an idle connection is still usable. No public API shows or selects
  /// the connection before the request is sent.
  ///
  /// On other platforms, the URLSession of swift-corelibs-foundation has faults that no delegate can work around, so `CurlFetcher` is the
  /// default.
  package final class URLSessionFetcher: Fetcher {
    private let session: URLSession
    private let exchanges: URLSessionExchanges

    /// - Parameter maxConnectionsPerHost: the maximum number of open connections to one host. The default suffices for the transfers that a
    ///   loader runs to one host, including silent ones: see ``FutureImage/FutureImage/Loader/Configuration/maxTransfersPerHost``.
    package init(maxConnectionsPerHost: Int = 24) {
      exchanges = URLSessionExchanges(.shared)
      session = exchanges.makeSession(maxConnectionsPerHost)
    }

    init(maxConnectionsPerHost: Int, clock: RunningClock) {
      exchanges = URLSessionExchanges(clock)
      session = exchanges.makeSession(maxConnectionsPerHost)
    }

    // A session retains its delegate until it is invalidated.
    deinit {
      session.invalidateAndCancel()
    }

    package func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try request.requireHTTP()
      try Task.checkCancellation()
      let task = session.dataTask(with: request.forURLSession)
      let exchange = URLSessionExchange(request, task: task, clock: exchanges.clock, receive: receive)
      try await exchanges.runWithPriority(exchange)
    }
  }
}

extension URLSessionExchanges {
  /// Creates a session that reports to this delegate and stores nothing.
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
    // Outside of Apple's platforms, URLSession does not recognize a scheme in capitals.
    bare?.scheme = url.scheme?.lowercased()
    var request = URLRequest(url: bare?.url ?? url)
    // The exchange enforces its time limits itself, and excludes the time during which the process is suspended. The session includes that
    // time, and reports a timeout on resume (Apple Developer Forums, thread 99991). So the session's limit is too high to be reached.
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
