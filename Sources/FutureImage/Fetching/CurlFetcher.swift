#if canImport(CCurl) && !canImport(UIKit)
extension FutureImage {
  /// Fetches http and https with libcurl: the default on Linux.
  ///
  /// Every exchange of one fetcher runs on one thread of its own, which starts with the first exchange and ends when the fetcher goes.
  /// `receive` is called on that thread: whoever blocks in it holds up every other exchange of the fetcher. A fetcher without
  /// exchanges costs no processor time. While exchanges run, the process wakes once per second to notice that it was suspended.
  ///
  /// Connections are kept open and used again, unless something has come by them meanwhile (with libcurl 7.80 or newer). A request that
  /// meets the end of a kept connection is sent once more by a new one. Redirects are handed on, not followed. No cookie is kept or sent
  /// and no netrc file is read, so that nothing but the request decides what a server learns. User name and password in the URL are sent as
  /// Basic authentication unless the request has an `Authorization` field. Servers are asked for gzip and brotli, except where the request has
  /// a `Range` or its own `Accept-Encoding`; both are undone in any case, and content that ends before its coding does is truncated.
  ///
  ///     let fetcher = FutureImage.CurlFetcher()
  ///     try await fetcher.fetch(FutureImage.Request(url: url)) { event in
  ///       if case .bytes(let data) = event { print(data.count) }
  ///     }
  public final class CurlFetcher: Fetcher, TaskHost {
    private let engine: CurlEngine

    /// Makes a fetcher with connections of its own. Nothing is opened or started before the first exchange.
    public init(_ configuration: Configuration = Configuration()) {
      engine = CurlEngine(configuration, clock: .shared)
    }

    init(_ configuration: Configuration, clock: RunningClock) {
      engine = CurlEngine(configuration, clock: clock)
    }

    // May run on the engine's own thread, when an exchange held the last reference: tells it to end, and does not wait for it.
    deinit {
      engine.close()
    }

    /// Runs one exchange.
    ///
    /// Time counts from when the exchange starts, not while it waits for one of the ``Configuration/maxConnections``, nor while the
    /// process is suspended. Where no byte has come for the request's `stallTimeout`, it fails with `.stalled`, or with `.timedOut` if
    /// there is no connection yet.
    public func fetch(_ request: Request, receive: @escaping Receive) async throws {
      try request.requireHTTP()
      try await engine.run(CurlExchange(request, lines: engine.configuration.lines(for: request)), receive: receive)
    }

    func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
      Task.detached(executorPreference: engine, priority: priority) { [self] in
        await body()
        // The task does not hold what it runs on.
        withExtendedLifetime(self) {}
      }
    }
  }
}
#endif
