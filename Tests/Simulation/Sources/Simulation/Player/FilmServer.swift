import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A server of films, whose delays pass in the scheduler's time. Each answer has another version than the answer to the film's previous
/// request. Some requests get no answer, because the connection is lost.
final class FilmServer: FutureImage.Fetcher {
  private struct State {
    var random: SeededGenerator
    var isReliable = false
    /// The number of requests for each film, which determines the version of the next answer.
    var counts = [0, 0, 0]
  }

  private let state: Lock<State>

  init(seed: UInt64) { state = Lock(State(random: SeededGenerator(seed: seed)), rank: .testing) }

  /// Sends the last version of each film from now on.
  func makeReliable() { state.withLock { $0.isReliable = true } }

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    let number = Film.names.firstIndex { LoaderFixture.url($0) == request.url } ?? 0
    let (version, latency) = state.withLock { state -> (Int?, Duration) in
      if state.isReliable { return (Film.lastVersion, .zero) }
      let fails = Int.random(in: 0..<8, using: &state.random) == 0
      let latency = Duration.milliseconds([0, 20, 300].randomElement(using: &state.random) ?? 0)
      state.counts[number] += 1
      return (fails ? nil : state.counts[number] % Film.lastVersion, latency)
    }
    try await Task.sleep(for: latency, clock: SimulatedClock())
    guard let version else { throw FutureImage.Failure(.transport(.connectionLost)) }
    let data = Film(number: number, version: version).data
    try receive(.response(FutureImage.Response(status: 200, expectedBytes: data.count)))
    try receive(.bytes(data))
  }
}
