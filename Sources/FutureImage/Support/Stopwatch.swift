/// The time since its creation, by any clock.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  /// Reads the clock, as ``elapsed`` does. It may be any clock of the app, so no lock may be held.
  init(_ clock: any Clock<Duration>) {
    assertNoLockIsHeld()
    func reader(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    read = reader(of: clock)
  }

  var elapsed: Duration {
    assertNoLockIsHeld()
    return read()
  }
}
