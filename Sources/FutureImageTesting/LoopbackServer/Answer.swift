import Foundation

extension LoopbackServer {
  /// A response of the server to a request, correct or faulty.
  ///
  /// A modifier returns a changed copy, and modifiers combine:
  ///
  ///     .ok(jpeg, contentType: "image/jpeg").eTag("v1").ranges()
  ///     .ok(jpeg).truncated(after: 1_000).latency(.milliseconds(50))
  ///     .status(503, headers: ["Retry-After": "1"])
  ///
  /// Byte counts of modifiers refer to the body as sent, including chunk framing. In a raw answer, they refer to all bytes.
  public struct Answer: Sendable {
    enum Content: Sendable {
      case response(status: Int, headers: Headers, body: Data)
      case raw(Data)
    }

    /// The rule by which the client finds the end of the body.
    enum Framing: Sendable {
      case contentLength
      case declared(String)
      case chunked(sizes: [Int], isCut: Bool)
      case untilClose
    }

    /// An end of the connection before the end of the answer.
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
  /// Responds with status 200, the body, and its length.
  public static func ok(_ body: Data, contentType: String? = nil, headers: LoopbackServer.Headers = [:]) -> Self {
    var headers = headers
    headers.setDefault("Content-Type", contentType)
    return .status(200, headers: headers, body: body)
  }

  /// Responds with a status. Adds a `Content-Length` unless the headers or a modifier specify the length in another way.
  public static func status(_ status: Int, headers: LoopbackServer.Headers = [:], body: Data = Data()) -> Self {
    Self(content: .response(status: status, headers: headers, body: body))
  }

  /// Redirects to `location`, which is sent unchanged. It may be a whole URL, a path, or nonsense.
  public static func redirect(to location: String, status: Int = 302) -> Self {
    .status(status, headers: ["Location": location])
  }

  /// Sends these bytes instead of a response, then closes the connection. Use it for broken status lines and endless headers.
  public static func raw(_ bytes: Data) -> Self {
    Self(content: .raw(bytes))
  }

  /// Closes the connection gracefully without sending a byte. `.close.reset(after: 0)` resets it instead.
  public static var close: Self { .raw(Data()) }
}

extension LoopbackServer {
  /// The answers of one path. Each answer is sent once, except for the last, which repeats.
  struct Script: Sendable {
    private var answers: ArraySlice<Answer>

    init?(_ answers: [Answer]) {
      guard !answers.isEmpty else { return nil }
      self.answers = answers[...]
    }

    mutating func next() -> Answer? {
      answers.count > 1 ? answers.popFirst() : answers.first
    }
  }
}
