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

  /// The request of one exchange.
  public struct Request: Sendable {
    /// The URL to fetch. Its user name and password are for the server, and must not appear in messages.
    public var url: URL
    /// Header fields to send, in addition to those that the fetcher adds.
    public var headers: [String: String]
    /// The maximum duration of the whole exchange.
    public var timeout: Duration
    /// The maximum time without a byte before the exchange fails.
    public var stallTimeout: Duration
    /// The maximum size of all header fields together, in bytes.
    public var maxHeaderBytes: Int
    /// Networks that the exchange must avoid, if the fetcher can identify them; it then fails with `.transport(.avoidedNetwork)`.
    public var avoidedNetworks: NetworkTraits

    public init(
      url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60), stallTimeout: Duration = .seconds(15),
      maxHeaderBytes: Int = 64 << 10, avoidedNetworks: NetworkTraits = []
    ) {
      self.url = url
      self.headers = headers
      self.timeout = timeout
      self.stallTimeout = stallTimeout
      self.maxHeaderBytes = maxHeaderBytes
      self.avoidedNetworks = avoidedNetworks
    }
  }

  /// The part of a response before its body.
  public struct Response: Sendable {
    /// The HTTP status; 200 if the source has none.
    public var status: Int
    /// The header fields by lower-case name; repeated fields are joined by ", ".
    public var headers: [String: String]
    /// The length in bytes of the body as it is delivered, if known in advance; nil for a compressed body.
    public var expectedBytes: Int?

    public init(status: Int, headers: [String: String] = [:], expectedBytes: Int? = nil) {
      self.status = status
      self.headers = headers
      self.expectedBytes = expectedBytes
    }
  }

  /// The events of an exchange, in this order: one response, then bytes.
  public enum FetchEvent: Sendable {
    /// The response, once, before the body.
    case response(Response)
    /// A piece of the body, with its content coding decoded.
    case bytes(Data)
  }
}
