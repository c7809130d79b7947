/// Time since it was made, by any clock.
struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) {
    func reader(of clock: some Clock<Duration>) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    read = reader(of: clock)
  }

  var elapsed: Duration { read() }
}
