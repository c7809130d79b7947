/// A clock that always shows the same time, so that no deadline passes. Sleeps take real time.
///
/// In a simulation, the time that a busy machine takes must change nothing: no transfer times out, and no delay counts as a suspension of
/// the process, after which a lost connection would be replaced at once.
struct StoppedClock: Clock {
  let now = ContinuousClock.now

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await Task.sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}
