/// A timer that wakes a player when its next frame is due.
@MainActor protocol FrameTimer: AnyObject, Sendable {
  /// The time in seconds since a fixed moment.
  var now: TimeInterval { get }
  /// Calls the closure once, on the main actor. Replaces the former closure, which is then not called.
  func wake(after seconds: TimeInterval, _ body: @escaping @MainActor @Sendable () -> Void)
  func stop()
}

/// A timer that uses any clock, for systems without a display clock, and for tests.
@MainActor final class ClockTimer: FrameTimer {
  private let watch: Stopwatch
  /// Starts a wait of the given duration, and returns a function that sleeps until the end of the wait.
  private let sleep: (Duration) -> @Sendable () async throws -> Void
  private var task: Task<Void, Never>?
  private var body: (@MainActor @Sendable () -> Void)?
  /// The number of calls of `wake` and `stop`. A wait whose number is not the latest has been replaced, so it has no effect.
  private var turn = 0

  init(_ clock: any Clock<Duration>) {
    func sleep(on clock: some Clock<Duration>) -> (Duration) -> @Sendable () async throws -> Void {
      { duration in
        // The deadline does not depend on when the task begins to sleep.
        let deadline = clock.now.advanced(by: duration)
        return { try await clock.sleep(until: deadline, tolerance: nil) }
      }
    }
    watch = Stopwatch(clock)
    self.sleep = sleep(on: clock)
  }

  var now: TimeInterval { watch.elapsed.seconds }

  func wake(after seconds: TimeInterval, _ body: @escaping @MainActor @Sendable () -> Void) {
    stop()
    self.body = body
    let (sleep, turn) = (sleep(.microseconds(Int64((seconds * 1e6).rounded()))), turn)
    task = Scheduling.task("a frame", priority: .high) { [weak self] in
      do { try await sleep() } catch { return }
      Scheduling.onMain { [weak self] in
        // The main dispatch queue is the main actor's executor.
        MainActor.assumeIsolated { self?.ring(turn) }
      }
    }
  }

  func stop() {
    turn += 1
    body = nil
    task?.cancel()
    task = nil
  }

  private func ring(_ turn: Int) {
    guard turn == self.turn else { return }
    task = nil
    body.take()?()
  }

  deinit { task?.cancel() }
}
