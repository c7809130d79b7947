import FutureImage

/// Calls that wait until they are let go one by one.
final class HeldCalls: Sendable {
  private struct Call: Sendable {
    let what: String
    let number: Int
    let mayFail: Bool
    let goOn: @Sendable (_ isBroken: Bool) -> Void
  }

  private struct State {
    var calls: [Call] = []
    var last: [String: Int] = [:]
  }

  private let state = Lock(State(), rank: .testing)

  var count: Int { state.withLock { $0.calls.count } }

  /// - Parameters:
  ///   - what: the call in words, the same in each run.
  ///   - mayFail: whether it may be told that it is broken.
  ///   - goOn: is called once.
  func add(_ what: String, mayFail: Bool = false, goOn: @escaping @Sendable (_ isBroken: Bool) -> Void) {
    state.withLock { state in
      let number = state.last[what, default: 0] + 1
      state.last[what] = number
      state.calls.append(Call(what: what, number: number, mayFail: mayFail, goOn: goOn))
    }
  }

  /// - Parameters:
  ///   - index: of the calls in the order of their words: threads make them in any order.
  ///   - isBroken: whether it fails, if it may.
  /// - Returns: what has happened.
  func letGo(_ index: Int, isBroken: Bool) -> String {
    let call = state.withLock { state in
      state.calls.sort { ($0.what, $0.number) < ($1.what, $1.number) }
      return state.calls.remove(at: index)
    }
    let fails = isBroken && call.mayFail
    call.goOn(fails)
    return "\(call.what) \(fails ? "fails" : "ends")"
  }
}
