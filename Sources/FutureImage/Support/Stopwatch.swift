/// The time since the creation of this value, measured by any clock.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  /// Reads the clock, as ``elapsed`` does. The clock may be a clock of the app, so no lock may be held.
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

/// The processor time of the calling thread since the creation of this value. It is the cost of the thread's own work, whichever other
/// threads ran meanwhile.
struct ThreadTime {
  private let start = ThreadTime.now

  /// The time used. Read it on the thread that created this value.
  var used: Duration { ThreadTime.now - start }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension Duration {
  var seconds: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18 }
}
