@testable import FutureImageTesting

/// The owner of a manual clock, which ends every sleep when the owner ends with its test: a task that sleeps forever would hold the clock,
/// and the clock the task.
final class EndingClock: Sendable {
  let manual = ManualClock()

  deinit {
    manual.end()
  }
}
