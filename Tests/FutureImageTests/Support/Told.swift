@testable import FutureImage

/// Who waits for a picture, and whether each was told once, and of the right one.
final class Told: Sendable {
  private struct State {
    var waiting: Set<Int> = []
    /// Who gave up.
    var gaveUp: Set<Int> = []
    var last = 0
    var twice = 0
    var wrong: [String] = []
  }

  private let state = Lock(State())

  var missing: Int { state.withLock { $0.waiting.count } }
  /// Who gave up, and was not told so.
  var overdue: Int { state.withLock { $0.waiting.intersection($0.gaveUp).count } }
  var twice: Int { state.withLock { $0.twice } }
  /// What the waiters that were told something wrong were told.
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

  /// The waiter is to be told soon, of whatever.
  func giveUp(_ number: Int) {
    state.withLock { _ = $0.gaveUp.insert(number) }
  }

  /// - Parameter fault: what is wrong with what the waiter was told, if anything.
  func tell(_ number: Int, fault: String? = nil) {
    state.withLock { state in
      if state.waiting.remove(number) == nil { state.twice += 1 }
      if let fault { state.wrong.append(fault) }
    }
  }
}
