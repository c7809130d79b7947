@testable import FutureImage

/// Records the waiters for images, and whether each waiter gets exactly one result, with the right image.
final class WaiterLog: Sendable {
  private struct State {
    var waiting: Set<Int> = []
    /// The waiters that were canceled.
    var gaveUp: Set<Int> = []
    var last = 0
    var twice = 0
    var wrong: [String] = []
  }

  private let state = Lock(State())

  var missing: Int { state.withLock { $0.waiting.count } }
  /// The number of canceled waiters that have not got a result.
  var overdue: Int { state.withLock { $0.waiting.intersection($0.gaveUp).count } }
  var twice: Int { state.withLock { $0.twice } }
  /// The descriptions of wrong results.
  var wrong: [String] { state.withLock { $0.wrong } }
  var count: Int { state.withLock { $0.last } }

  /// Adds a waiter, and returns its number.
  func add() -> Int {
    state.withLock { state in
      state.last += 1
      state.waiting.insert(state.last)
      return state.last
    }
  }

  /// Records that the waiter was canceled, so it must soon get a result of any kind.
  func giveUp(_ number: Int) {
    state.withLock { _ = $0.gaveUp.insert(number) }
  }

  /// Records that a waiter got a result.
  /// - Parameter fault: a description of the result if it is wrong; otherwise nil.
  func record(_ number: Int, fault: String? = nil) {
    state.withLock { state in
      if state.waiting.remove(number) == nil { state.twice += 1 }
      if let fault { state.wrong.append(fault) }
    }
  }
}
