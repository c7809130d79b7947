#if canImport(CCurl) && !canImport(UIKit)
extension FutureImage {
  /// Fetches http and https URLs with libcurl: the default on Linux.
  ///
  /// A fetcher runs all of its exchanges on one thread of its own, which starts with the first exchange and ends when the fetcher is
  /// released. `receive` is called on that thread, so blocking in it delays every other exchange of the fetcher. A fetcher without
  /// exchanges uses no processor time. While exchanges run, the process wakes once per second to detect that it was suspended.
  ///
  /// Connections are kept open and reused, unless anything has arrived on them in the meantime (with libcurl 7.80 or newer). A request that
  /// finds a kept connection closed is sent once more on a new one. Redirects are passed on, not followed. No cookies are stored or sent
  /// and no netrc file is read, so that only the request decides what a server learns. A user name and password in the URL are sent as
  /// Basic authentication unless the request has an `Authorization` field. Servers are asked for gzip and brotli, unless the request has a
  /// `Range` or its own `Accept-Encoding`. Both codings are decoded in any case, and content that ends before its coding does is truncated.
  ///
  ///     let fetcher = FutureImage.CurlFetcher()
  ///     try await fetcher.fetch(FutureImage.Request(url: url)) { event in
  ///       if case .bytes(let data) = event { print(data.count) }
  ///     }
  public final class CurlFetcher: Fetcher, TaskHost {
    private let engine: CurlEngine

    /// Creates a fetcher with its own connections. Nothing is opened or started before the first exchange.
    /// - Parameters:
    ///   - version: the newest HTTP version to use.
    ///   - maxConnections: the maximum number of exchanges at once, and of connections kept open for later ones, at least 1: at most an
    ///     eighth of the process's file descriptors. Further exchanges wait in order.
    ///   - proxy: the proxy; taken from the environment by default.
    ///   - certificateAuthorities: a file of PEM certificates to trust instead of the system's.
    ///   - userAgent: the `User-Agent` for requests without one.
    public convenience init(
      version: HTTPVersion = .http2, maxConnections: Int = 96, proxy: Proxy = .environment, certificateAuthorities: URL? = nil,
      userAgent: String = "FutureImage"
    ) {
      self.init(
        Configuration(
          version: version, maxConnections: max(1, maxConnections), proxy: proxy, certificateAuthorities: certificateAuthorities,
          userAgent: userAgent))
    }

    init(_ configuration: Configuration, clock: RunningClock = .shared) {
      engine = CurlEngine(configuration, clock: clock)
    }

    // May run on the engine's own thread, if an exchange held the last reference: asks the thread to end, without waiting for it.
    deinit {
      engine.close()
    }

    /// Runs one exchange.
    ///
    /// The time limits start when the exchange starts. They exclude time spent waiting for one of the `maxConnections`, and
    /// time while the process is suspended. If no byte arrives for the request's `stallTimeout`, the exchange fails with `.stalled`, or
    /// with `.timedOut` if there is no connection yet.
    public func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try request.requireHTTP()
      try await engine.run(CurlExchange(request, lines: engine.configuration.lines(for: request)), receive: receive)
    }

    func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      Task.detached(executorPreference: engine, priority: priority) { [self] in
        await body()
        // A task does not retain its executor.
        withExtendedLifetime(self) {}
      }
    }
  }
}
#endif
