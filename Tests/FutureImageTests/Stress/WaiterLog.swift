@testable import FutureImage

/// The waiters for images, and whether each got one result, and one for the right image.
final class WaiterLog: Sendable {
  private struct State {
    var waiting: Set<Int> = []
    /// The waiters that gave up.
    var gaveUp: Set<Int> = []
    var last = 0
    var twice = 0
    var wrong: [String] = []
  }

  private let state = Lock(State())

  var missing: Int { state.withLock { $0.waiting.count } }
  /// The number of waiters that gave up and got no result.
  var overdue: Int { state.withLock { $0.waiting.intersection($0.gaveUp).count } }
  var twice: Int { state.withLock { $0.twice } }
  /// The faults of wrong results.
  var wrong: [String] { state.withLock { $0.wrong } }
  var count: Int { state.withLock { $0.last } }

  /// - Returns: the waiter's number.
  func add() -> Int {
    state.withLock { state in
      state.last += 1
      state.waiting.insert(state.last)
      return state.last
    }
  }

  /// Notes that the waiter gave up, and must soon get a result of any kind.
  func giveUp(_ number: Int) {
    state.withLock { _ = $0.gaveUp.insert(number) }
  }

  /// - Parameter fault: the fault of the waiter's result, if it is wrong.
  func tell(_ number: Int, fault: String? = nil) {
    state.withLock { state in
      if state.waiting.remove(number) == nil { state.twice += 1 }
      if let fault { state.wrong.append(fault) }
    }
  }
}
