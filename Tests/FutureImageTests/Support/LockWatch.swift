#if DEBUG
import Foundation

@testable import FutureImage

/// What an app sees of the library's locks: whether its objects die, and its code is called, while the thread holds one.
final class LockWatch: Sendable {
  private struct State {
    var deaths = 0
    var calls = 0
    var faults: [String] = []
    weak var loader: FutureImage.Loader?
  }

  // May be taken inside of all locks: that there are some is to be noted, not to end the test.
  private let state = Lock(State(), rank: .testing)

  var deaths: Int { state.withLock { $0.deaths } }
  var calls: Int { state.withLock { $0.calls } }
  /// What died or was called inside of a lock.
  var faults: [String] { state.withLock { $0.faults } }

  /// The loader that dying objects ask.
  func watch(_ loader: FutureImage.Loader) { state.withLock { $0.loader = loader } }

  func called(_ name: String) {
    let isFree = HeldLocks.current.permitsCalls
    state.withLock { state in
      state.calls += 1
      if !isFree { state.faults.append("\(name) called") }
    }
  }

  fileprivate func died(_ name: String) {
    let isFree = HeldLocks.current.isEmpty
    state.withLock { state in
      state.deaths += 1
      if !isFree { state.faults.append("\(name) died") }
    }
    // As an object of an app's may. In a lock it would wait for ever.
    guard isFree, let loader = state.withLock({ $0.loader }) else { return }
    _ = loader.statistics
    _ = FutureImage(at: Shop.url("of the dying"), cachePolicy: .modelOnly, loader: loader)
  }

  /// Returns when so many have died.
  func waitForDeaths(_ count: Int) async {
    while deaths < count { await Task.yield() }
  }
}

/// An object of an app's that notes its death.
final class Sentinel: Sendable {
  private let name: String
  private let watch: LockWatch

  init(_ name: String, _ watch: LockWatch) {
    self.name = name
    self.watch = watch
  }

  deinit { watch.died(name) }
}
#endif
