/// The time that passes, minus the time for which the process was suspended. A pure value: at each look, the caller reads a clock that
/// never stops, and passes the time to this value.
///
/// No system reports that a process is about to be suspended, or that it was suspended. An app receives no notification of a suspension,
/// and an extension does not even learn that it is in the background. A clock such as `SuspendingClock` stops only while the whole device
/// sleeps. But a suspended process runs no timers. So while transfers run, the clock is read once per ``interval``. A reading that is late
/// by more than the ``tolerance`` means that the process was suspended. Only one interval then counts as running time.
///
/// | looks, in seconds | running time | suspensions |
/// | --- | ---: | ---: |
/// | 0, 1, 2 | 2 | 0 |
/// | 0, 1, 2.9: a busy machine | 2.9 | 0 |
/// | 0, 1, 3601, 3602 | 3 | 1 |
/// | 0, 1, no watcher, 3601, 3602 | 3602 | 0 |
///
/// A look may be late for another reason, such as a thread that gets no processor time. The running time then passes more slowly, but never
/// stops, because each look adds at least the interval or the time that has passed, whichever is shorter.
struct RunningTime {
  /// The interval between two looks.
  static let interval = Duration.seconds(1)
  /// The time by which a look may be late before it means a suspension.
  static let tolerance = Duration.seconds(1)

  /// The number of running transfers.
  private(set) var watchers = 0
  /// The number of suspensions of the process while transfers were watched.
  private(set) var suspensions = 0
  private var suspended = Duration.zero
  /// The time of the last look; nil without watchers.
  private var lastLook: Duration?

  /// Records a look, and returns the running time.
  mutating func read(at now: Duration) -> Duration {
    guard let last = lastLook else { return now - suspended }
    lastLook = now
    if now - last > Self.interval + Self.tolerance {
      suspended += now - last - Self.interval
      suspensions += 1
    }
    return now - suspended
  }

  mutating func beginWatching(at now: Duration) {
    _ = read(at: now)
    lastLook = now
    watchers += 1
  }

  mutating func endWatching() {
    watchers -= 1
    if watchers == 0 { lastLook = nil }
  }
}
