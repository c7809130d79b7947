import FutureImage

/// Calls that wait until they are resumed one by one.
final class HeldCalls: Sendable {
  private struct Call: Sendable {
    let what: String
    let number: Int
    let mayFail: Bool
    let proceed: @Sendable (_ isBroken: Bool) -> Void
  }

  private struct State {
    var calls: [Call] = []
    var last: [String: Int] = [:]
  }

  private let state = Lock(State(), rank: .testing)

  var count: Int { state.withLock { $0.calls.count } }

  /// - Parameters:
  ///   - what: a description of the call, the same in each run.
  ///   - mayFail: whether the call can be made to fail.
  ///   - proceed: a closure that resumes the call, and makes it fail if the argument is true. It is called once.
  func add(_ what: String, mayFail: Bool = false, proceed: @escaping @Sendable (_ isBroken: Bool) -> Void) {
    state.withLock { state in
      let number = state.last[what, default: 0] + 1
      state.last[what] = number
      state.calls.append(Call(what: what, number: number, mayFail: mayFail, proceed: proceed))
    }
  }

  /// - Parameters:
  ///   - index: the index of the call among all calls sorted by their descriptions. They are sorted because the order in which threads make
  ///     the calls varies.
  ///   - isBroken: whether the call fails, if it can be made to fail.
  /// - Returns: a description of the event.
  func release(_ index: Int, isBroken: Bool) -> String {
    let call = state.withLock { state in
      state.calls.sort { ($0.what, $0.number) < ($1.what, $1.number) }
      return state.calls.remove(at: index)
    }
    let fails = isBroken && call.mayFail
    call.proceed(fails)
    return "\(call.what) \(fails ? "fails" : "ends")"
  }
}

/// Turns of a loader's main queue that wait until they are run one by one.
final class HeldTurns: Sendable {
  private let turns = Lock<[@Sendable () -> Void]>([], rank: .testing)

  var isEmpty: Bool { turns.withLock { $0.isEmpty } }

  func add(_ turn: @escaping @Sendable () -> Void) { turns.withLock { $0.append(turn) } }

  /// Runs the oldest turn.
  @MainActor func run() {
    let turn = turns.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    turn?()
  }
}

/// A clock that always has the same time, so that no deadline passes. Sleeps take real time.
///
/// In a simulation, the speed of the machine must not change the result. With this clock, no transfer times out on a busy machine. Also,
/// the loader does not mistake a delay for a suspension of the process. After a suspension, it would repeat a failed attempt without a
/// wait.
struct StoppedClock: Clock {
  let now = ContinuousClock.now

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await Task.sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}
