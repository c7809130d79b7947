@testable import FutureImageTesting

/// Owns a manual clock, and ends all its sleeps when it is released with its test. A task that sleeps forever would retain the clock, and
/// the clock the task.
final class EndingClock: Sendable {
  let manual = ManualClock()

  deinit {
    manual.end()
  }
}
