/// The processor time of the calling thread since the creation of this value: the cost of its own work, whichever other threads ran
/// meanwhile.
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
