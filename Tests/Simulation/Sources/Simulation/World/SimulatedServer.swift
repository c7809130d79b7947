import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A server and the network to it, whose delays pass in the scheduler's time. The server's images are replaced from time to time. Answers
/// arrive late, in pieces, incomplete, or not at all. A canceled exchange may continue for a while, or to its end.
final class SimulatedServer: FutureImage.Fetcher {
  private struct State {
    var random: SeededGenerator
    var versions: [String: Int] = [:]
    var isReliable = false
    var running = 0
    var begun = 0
  }

  /// The versions of each image.
  private let pictures: [String: [Data]]
  private let state: Lock<State>

  /// Creates a server that has the first version of each image.
  /// - Parameter isReliable: whether the server has no faults from the start.
  init(_ pictures: [String: [Data]], seed: UInt64, isReliable: Bool = false) {
    self.pictures = pictures
    state = Lock(State(random: SeededGenerator(seed: seed), isReliable: isReliable), rank: .testing)
  }

  /// The number of exchanges that have not ended.
  var running: Int { state.withLock { $0.running } }
  var begun: Int { state.withLock { $0.begun } }

  /// Replaces the image with its next version, but never with the last version, which ``makeReliable()`` introduces.
  func replace(_ name: String) {
    state.withLock { $0.versions[name] = min($0.versions[name, default: 0] + 1, (pictures[name]?.count ?? 0) - 2) }
  }

  /// Gives every image its last version, and ends all faults.
  func makeReliable() {
    state.withLock { state in
      state.isReliable = true
      for (name, versions) in pictures { state.versions[name] = versions.count - 1 }
    }
  }

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    let behavior = state.withLock { state in
      state.running += 1
      state.begun += 1
      return state.isReliable ? Behavior.reliable : Behavior(&state.random)
    }
    defer { state.withLock { $0.running -= 1 } }
    try await behavior.pass(behavior.latency)
    let answer = answer(to: request, behavior)
    if behavior.end == .lost { throw FutureImage.Failure(.transport(.connectionLost)) }
    try receive(.response(answer.response))
    for (index, piece) in answer.pieces(behavior.pieces).enumerated() {
      try await behavior.pass(behavior.pause)
      switch behavior.end {
      case .broken(let after) where index >= after: throw FutureImage.Failure(.transport(.connectionLost))
      case .stalled(let after) where index >= after:
        try await behavior.pass(request.stallTimeout)
        throw FutureImage.Failure(.transport(.stalled))
      default: try receive(.bytes(piece))
      }
    }
  }

  // MARK: The server

  private struct Answer {
    let response: FutureImage.Response
    var body = Data()

    func pieces(_ count: Int) -> [Data] {
      guard !body.isEmpty else { return [] }
      let length = (body.count + count - 1) / count
      return stride(from: 0, to: body.count, by: length).map { Data(body.dropFirst($0).prefix(length)) }
    }
  }

  private func answer(to request: FutureImage.Request, _ behavior: Behavior) -> Answer {
    let file = request.url.lastPathComponent, name = String(file.prefix { $0 != "." })
    let version = state.withLock { $0.versions[name, default: 0] }
    guard let picture = pictures[name]?[version] else { return Answer(response: FutureImage.Response(status: 404, expectedBytes: 0)) }
    switch behavior.answer {
    case .refusal(let status): return Answer(response: FutureImage.Response(status: status, expectedBytes: 0))
    case .redirect where request.url.path() == "/\(file)":
      return Answer(response: FutureImage.Response(status: 302, headers: ["location": "/moved/\(file)"], expectedBytes: 0))
    case .redirect, .picture: break
    }
    var headers = ["etag": "\"\(name)-\(version)\"", "accept-ranges": "bytes"]
    headers["cache-control"] = behavior.cacheControl
    if request.headers["If-None-Match"] == headers["etag"] {
      return Answer(response: FutureImage.Response(status: 304, headers: headers, expectedBytes: 0))
    }
    if let first = request.firstByte, first < picture.count, [nil, headers["etag"]].contains(request.headers["If-Range"]) {
      headers["content-range"] = "bytes \(first)-\(picture.count - 1)/\(picture.count)"
      let rest = Data(picture.dropFirst(first))
      return Answer(response: FutureImage.Response(status: 206, headers: headers, expectedBytes: rest.count), body: rest)
    }
    return Answer(response: FutureImage.Response(status: 200, headers: headers, expectedBytes: picture.count), body: picture)
  }
}

extension FutureImage.Request {
  fileprivate var firstByte: Int? {
    headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
  }
}

/// The behavior of the server in one exchange.
private struct Behavior {
  enum Answer {
    case picture, redirect
    case refusal(Int)
  }

  enum End: Equatable {
    case whole
    /// The connection is lost before the response.
    case lost
    /// The connection is lost after the given number of pieces.
    case broken(Int)
    /// No more bytes arrive after the given number of pieces.
    case stalled(Int)
  }

  /// The time at which a canceled exchange ends.
  enum Cancellation {
    case atOnce
    /// At the end of the current wait.
    case late
    case never
  }

  static let reliable = Behavior(answer: .picture, end: .whole, cancellation: .atOnce, latency: .milliseconds(20), pause: .zero, pieces: 1)

  let answer: Answer
  let end: End
  let cancellation: Cancellation
  let latency: Duration
  /// The pause before each piece of the body.
  let pause: Duration
  let pieces: Int
  var cacheControl: String?

  private init(answer: Answer, end: End, cancellation: Cancellation, latency: Duration, pause: Duration, pieces: Int) {
    (self.answer, self.end, self.cancellation) = (answer, end, cancellation)
    (self.latency, self.pause, self.pieces) = (latency, pause, pieces)
  }

  init(_ random: inout SeededGenerator) {
    pieces = Int.random(in: 1...4, using: &random)
    answer =
      switch Int.random(in: 0..<20, using: &random) {
      case 0: .refusal([404, 410, 403].randomElement(using: &random) ?? 404)
      case 1, 2: .refusal([503, 429, 500].randomElement(using: &random) ?? 503)
      case 3..<6: .redirect
      default: .picture
      }
    end =
      switch Int.random(in: 0..<20, using: &random) {
      case 0, 1: .lost
      case 2..<5: .broken(Int.random(in: 1...4, using: &random))
      case 5: .stalled(Int.random(in: 0...2, using: &random))
      default: .whole
      }
    cancellation = [.atOnce, .atOnce, .late, .never].randomElement(using: &random) ?? .atOnce
    latency = .milliseconds([0, 5, 40, 200, 3_000].randomElement(using: &random) ?? 0)
    pause = .milliseconds([0, 0, 10, 100, 1_500].randomElement(using: &random) ?? 0)
    cacheControl =
      [nil, "max-age=60", "max-age=2, must-revalidate", "no-cache", "no-store", "max-age=0"].randomElement(using: &random) ?? nil
  }

  /// Waits for the given time.
  /// - Throws: `CancellationError` if the exchange is canceled and observes the cancellation.
  func pass(_ time: Duration) async throws {
    if case .atOnce = cancellation {
      return try await SimulatedClock().sleep(until: SimulatedClock().now.advanced(by: time), tolerance: nil)
    }
    await withCheckedContinuation { continuation in
      Scheduling.inBackground(after: time) { continuation.resume() }
    }
    if case .late = cancellation { try Task.checkCancellation() }
  }
}
