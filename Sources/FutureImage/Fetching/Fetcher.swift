extension FutureImage {
  /// A type that fetches bytes. The loader's default fetcher uses HTTP, with libcurl on Linux and URLSession on Apple's platforms.
  ///
  /// Each call makes one exchange: it sends one request, and receives the response. The loader handles redirects, retries, revalidation,
  /// and size limits. Conform to this protocol to fetch bytes from elsewhere, such as a database:
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
    /// concurrently. Returns when the body is complete. A redirect (a 3xx status with `Location`) is delivered like any other response, and
    /// not followed.
    ///
    /// If `receive` throws an error, the exchange ends and throws the same error. `receive` may throw even for the response, because the
    /// status can be all that the caller needs. Cancellation of the task ends the exchange immediately, too.
    /// - Throws: ``FutureImage/Failure``, `CancellationError`, or the error that `receive` threw. If the body is shorter than the length
    ///   that the server declared, the failure is `.transport(.truncated)`.
    func fetch(_ request: Request, receive: @escaping Receive) async throws
  }

  /// A closure that receives the events of an exchange, and throws an error to end the exchange.
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
/// Such a task also works between its exchanges. This work delays the exchanges of other tasks, as work in `receive` does. So the work must
/// be short, and must not run the app's code, except code that is documented to be quick.
protocol TaskHost: FutureImage.Fetcher {
  func makeTask(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>
}

/// The error that ends an exchange if the status is sufficient and the body is not needed. If only a short part of the body is left, a
/// fetcher may read it first, so that the connection can be reused. The fetcher must not delay this error for long.
struct BodyNotNeeded: Error {}
