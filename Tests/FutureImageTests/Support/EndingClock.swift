import FutureImageTesting

/// A manual clock that wakes everything that still sleeps when its suite ends: a task that sleeps forever would hold the clock, and the clock
/// the task.
final class EndingClock: Sendable {
  let manual = ManualClock()

  deinit {
    manual.advance(by: .seconds(86_400))
  }
}
