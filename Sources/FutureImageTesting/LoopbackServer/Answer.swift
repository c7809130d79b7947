import Foundation

extension LoopbackServer {
  /// What the server does with a request, well or badly.
  ///
  /// A modifier returns a changed copy, and modifiers combine:
  ///
  ///     .ok(jpeg, contentType: "image/jpeg").eTag("v1").ranges()
  ///     .ok(jpeg).truncated(after: 1_000).latency(.milliseconds(50))
  ///     .status(503, headers: ["Retry-After": "1"])
  ///
  /// Where a modifier counts bytes it means those of the body as sent, chunk framing included; in a raw answer all bytes.
  public struct Answer: Sendable {
    enum Content: Sendable {
      case response(status: Int, headers: Headers, body: Data)
      case raw(Data)
    }

    /// How the client is to know where the body ends.
    enum Framing: Sendable {
      case contentLength
      case declared(String)
      case chunked(sizes: [Int], isCut: Bool)
      case untilClose
    }

    /// How the answer breaks off.
    enum Break: Sendable {
      case truncated(after: Int)
      case reset(after: Int)
    }

    struct Hold: Sendable {
      let byteCount: Int
      let gate: Gate
    }

    struct Drip: Sendable {
      let byteCount: Int
      let interval: Duration
    }

    var content: Content
    var validators = Validators()
    var servesRanges = false
    var framing = Framing.contentLength
    var breakOff: Break?
    var latency = Duration.zero
    var gate: Gate?
    var hold: Hold?
    var drip: Drip?

    func with(_ change: (inout Answer) -> Void) -> Answer {
      var copy = self
      change(&copy)
      return copy
    }
  }
}

extension LoopbackServer.Answer {
  /// Status 200 with the body, its length declared.
  public static func ok(_ body: Data, contentType: String? = nil, headers: LoopbackServer.Headers = [:]) -> Self {
    var headers = headers
    headers.setDefault("Content-Type", contentType)
    return .status(200, headers: headers, body: body)
  }

  /// A `Content-Length` is added, unless the headers or a modifier say otherwise.
  public static func status(_ status: Int, headers: LoopbackServer.Headers = [:], body: Data = Data()) -> Self {
    Self(content: .response(status: status, headers: headers, body: body))
  }

  /// `location` is sent as it is: a whole URL, a path, or nonsense.
  public static func redirect(to location: String, status: Int = 302) -> Self {
    .status(status, headers: ["Location": location])
  }

  /// These bytes instead of a response, for broken status lines and endless headers. The connection closes after them.
  public static func raw(_ bytes: Data) -> Self {
    Self(content: .raw(bytes))
  }

  /// Closes the connection in good order without a byte. `.close.reset(after: 0)` resets it instead.
  public static var close: Self { .raw(Data()) }
}
