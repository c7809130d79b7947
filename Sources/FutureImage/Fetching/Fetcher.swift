extension FutureImage {
  /// Gets bytes from somewhere. The loader's default speaks HTTP: libcurl on Linux, URLSession on Apple's platforms.
  ///
  /// One call is one exchange: redirects, retries, revalidation and caps on size are the loader's. Conform to it to fetch from
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
    /// Runs one exchange: `receive` gets the response once, then the body in order, piece by piece, on any thread but never two at a
    /// time; the call returns when the body is complete. A 3xx with `Location` is handed on like any answer, not followed.
    ///
    /// An error that `receive` throws ends the exchange and is thrown on, also when it is thrown for the response, whose status may say all
    /// there is to know; so does cancellation of the task, at once.
    /// - Throws: ``FutureImage/Failure``, `CancellationError`, or what `receive` threw. A body shorter than the length the server
    ///   declared is `.transport(.truncated)`.
    func fetch(_ request: Request, receive: @escaping Receive) async throws
  }

  /// Takes what a fetcher gets; throws to end the exchange.
  public typealias Receive = @Sendable (FetchEvent) throws -> Void

  /// One exchange to run.
  public struct Request: Sendable {
    /// Where to. Its user name and password are for the server, and may not appear in messages.
    public var url: URL
    /// Header fields to send, besides those that the fetcher sends by itself.
    public var headers: [String: String]
    /// How long the whole exchange may take.
    public var timeout: Duration
    /// How long no byte may come before the exchange is given up.
    public var stallTimeout: Duration
    /// The most bytes of header fields, all together.
    public var maxHeaderBytes: Int
    /// Networks that the exchange is to keep off, where the fetcher can know; it then fails with `.transport(.avoidedNetwork)`.
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

  /// What comes before the body.
  public struct Response: Sendable {
    /// The HTTP status; 200 where there is no such thing.
    public var status: Int
    /// By lower-case name; fields that came twice are joined by ", ".
    public var headers: [String: String]
    /// The length in bytes of the body as it will be handed on, where it is known beforehand: not for a compressed body.
    public var expectedBytes: Int?

    public init(status: Int, headers: [String: String] = [:], expectedBytes: Int? = nil) {
      self.status = status
      self.headers = headers
      self.expectedBytes = expectedBytes
    }
  }

  /// What a fetcher hands on, in this order: one response, then bytes.
  public enum FetchEvent: Sendable {
    /// Before the body, once.
    case response(Response)
    /// A piece of the body, its content coding undone.
    case bytes(Data)
  }
}
