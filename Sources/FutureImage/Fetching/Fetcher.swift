extension FutureImage {
  /// A type that fetches bytes. The loader's default speaks HTTP: libcurl on Linux, URLSession on Apple's platforms.
  ///
  /// One call is one exchange: the loader handles redirects, retries, revalidation and size limits. Conform to the protocol to fetch from
  /// elsewhere:
  ///
  ///     struct Assets: FutureImage.Fetcher {
  ///       func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
  ///         let data = try await database.blob(named: request.url.lastPathComponent)
  ///         try receive(.response(FutureImage.Response(status: 200, expectedBytes: data.count)))
  ///         try receive(.bytes(data))
  ///       }
  ///     }
  public protocol Fetcher: Sendable {
    /// Runs one exchange. Calls `receive` once with the response, then with the pieces of the body in order, on any thread but never
    /// concurrently. Returns when the body is complete. A 3xx with `Location` is passed on like any response, not followed.
    ///
    /// An error that `receive` throws ends the exchange and is rethrown. It may also be thrown for the response, whose status can be all
    /// that the caller needs. Cancellation of the task ends the exchange, too, immediately.
    /// - Throws: ``FutureImage/Failure``, `CancellationError`, or the error that `receive` threw. A body shorter than the length the server
    ///   declared is `.transport(.truncated)`.
    func fetch(_ request: Request, receive: @escaping Receive) async throws
  }

  /// Receives the events of a fetcher; throws to end the exchange.
  public typealias Receive = @Sendable (FetchEvent) throws -> Void
}

extension FutureImage {
  /// The events of an exchange, in this order: one response, then bytes.
  public enum FetchEvent: Sendable {
    /// The response, once, before the body.
    case response(Response)
    /// A piece of the body, with its content coding decoded.
    case bytes(Data)
  }
}

/// A fetcher with its own thread, which also runs the tasks that await the fetcher.
///
/// The work of such a task between its exchanges delays other exchanges, as `receive` does. It must be short, and must not run the app's
/// own code, except code that is documented to be quick.
protocol TaskHost: FutureImage.Fetcher {
  func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// Ends an exchange whose status is the whole answer: the body is not needed. A fetcher may read a little of the body to reuse the
/// connection, but must not delay this error for that.
struct StatusSuffices: Error {}
