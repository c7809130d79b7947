#if DEBUG
import Foundation

@testable import FutureImage

/// Records whether the library releases an app's objects, or calls the app's code, while the thread holds a lock.
final class LockWatch: Sendable {
  private struct State {
    var releases = 0
    var calls = 0
    var faults: [String] = []
    weak var loader: FutureImage.Loader?
  }

  // This lock has the last rank, because the library may hold any other lock when it calls the watch.
  private let state = Lock(State(), rank: .testing)

  var releases: Int { state.withLock { $0.releases } }
  var calls: Int { state.withLock { $0.calls } }
  /// The objects that were released, and the code that was called, inside a lock.
  var faults: [String] { state.withLock { $0.faults } }

  /// Sets the loader that the app's objects use in their `deinit`.
  func watch(_ loader: FutureImage.Loader) { state.withLock { $0.loader = loader } }

  func called(_ name: String) {
    let isFree = HeldLocks.current.permitsCalls
    state.withLock { state in
      state.calls += 1
      if !isFree { state.faults.append("\(name) called inside a lock") }
    }
  }

  fileprivate func released(_ name: String) {
    let isFree = HeldLocks.current.isEmpty
    state.withLock { state in
      state.releases += 1
      if !isFree { state.faults.append("\(name) released inside a lock") }
    }
    // Uses the loader, as an app's object may do in its `deinit`. While the thread holds a lock, this use would block forever, so it is
    // left out.
    guard isFree, let loader = state.withLock({ $0.loader }) else { return }
    _ = loader.statistics
    _ = FutureImage(at: LoaderFixture.url("of the released object"), cachePolicy: .modelOnly, loader: loader)
  }

  /// Returns when the given number of objects have been released.
  func waitForReleases(_ count: Int) async {
    while releases < count { await Task.yield() }
  }
}

/// An app's object that records its release.
final class Sentinel: Sendable {
  private let name: String
  private let watch: LockWatch

  init(_ name: String, _ watch: LockWatch) {
    self.name = name
    self.watch = watch
  }

  deinit { watch.released(name) }
}
#endif
