/// Time since it was made, by any clock.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  /// Asks the clock, as ``elapsed`` does: the app's may be anything, so no lock may be held.
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
