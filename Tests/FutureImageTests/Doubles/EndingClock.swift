@testable import FutureImageTesting

/// The owner of a manual clock. When a test releases the owner, all sleeps of the clock end. Otherwise, a sleeping task would retain the
/// clock, and the clock would retain the task.
final class EndingClock: Sendable {
  let manual = ManualClock()

  deinit {
    manual.end()
  }
}
