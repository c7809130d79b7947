/// Processor time of the calling thread since it was made: what its own work took, whoever else had the processor meanwhile.
struct ThreadTime {
  private let start = ThreadTime.now

  /// Read it on the thread that made it.
  var used: Duration { ThreadTime.now - start }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
