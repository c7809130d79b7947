#if canImport(CCurl) && !canImport(UIKit)
extension FutureImage {
  /// The default fetcher on Linux, which fetches http and https URLs with libcurl.
  ///
  /// A fetcher runs all of its exchanges on one thread of its own, which starts with the first exchange and ends when the fetcher is
  /// released. `receive` is called on that thread, so blocking in it delays every other exchange of the fetcher. A fetcher without
  /// exchanges uses no processor time. While exchanges run, the process wakes once per second to detect that it was suspended.
  ///
  /// Connections stay open and are reused. With libcurl 7.80 or newer, a connection is not reused if bytes have arrived on it between two
  /// exchanges. If a request finds that a reused connection is closed, the request is sent once more on a new connection. Redirects are
  /// delivered to the caller, not followed. No cookies are stored or sent and no netrc file is read, so that only the request decides what
  /// a server learns. A user name and password in the URL are sent as Basic authentication unless the request has an `Authorization`
  /// field. A request accepts gzip and brotli, unless it has a `Range` or its own `Accept-Encoding`. Both codings are decoded in any case.
  /// If the content ends before the end of its coding, the exchange fails with `.truncated`.
  ///
  /// The proxy and the certificate authorities are those that the environment names, as for the curl program.
  final class CurlFetcher: Fetcher, TaskHost {
    private let engine: CurlEngine

    /// Creates a fetcher with its own connections. Nothing is opened or started before the first exchange.
    init(_ configuration: Configuration = Configuration(), clock: RunningClock = .shared) {
      engine = CurlEngine(configuration, clock: clock)
    }

    // If an exchange had the last reference, this runs on the engine's own thread. So this code requests that the thread end, and does not
    // wait for it.
    deinit {
      engine.close()
    }

    /// Runs one exchange.
    ///
    /// The time limits start when the exchange starts. They exclude the time spent waiting for one of the `maxConnections`, and the time
    /// during which the process is suspended. If no byte arrives for the request's `stallTimeout`, the exchange fails with `.stalled`, or
    /// with `.timedOut` if there is no connection yet.
    func fetch(_ request: Request, receive: @escaping Receive) async throws {
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
