import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RunningTimeTests {
  @Test(
    arguments: [
      ([0, 1, 2], 2, 0), ([0, 1, 2.9], 2.9, 0), ([0, 2], 2, 0), ([0, 2.01], 1, 1), ([0, 1, 3601, 3602], 3, 1),
      ([0, 100, 200, 200.5], 2.5, 2)
    ] as [([Double], Double, Int)])
  func `a reading more than two seconds after the last reading counts as a suspension, and as only one second of running time`(
    readings: [Double], running: Double, suspensions: Int
  ) {
    var time = RunningTime()
    var now = Duration.zero
    time.beginWatching(at: .zero)
    for reading in readings { now = time.read(at: .seconds(reading)) }
    #expect(now == .seconds(running))
    #expect(time.suspensions == suspensions)
  }

  @Test func `a long time between two readings counts as a suspension only if there is at least one watcher`() {
    var time = RunningTime()
    time.beginWatching(at: .zero)
    time.endWatching()
    #expect(time.read(at: .seconds(3600)) == .seconds(3600))
    time.beginWatching(at: .seconds(7200))
    time.beginWatching(at: .seconds(7201))
    time.endWatching()
    #expect(time.read(at: .seconds(7202)) == .seconds(7202))
    #expect(time.suspensions == 0)
    #expect(time.read(at: .seconds(8000)) == .seconds(7203))
    #expect(time.suspensions == 1)
  }

  @Test func `the time of a suspension remains subtracted after watching ends, and a later watcher notices another suspension`() {
    var time = RunningTime()
    time.beginWatching(at: .zero)
    #expect(time.read(at: .seconds(100)) == .seconds(1))
    time.endWatching()
    #expect(time.read(at: .seconds(200)) == .seconds(101))
    time.beginWatching(at: .seconds(200))
    time.beginWatching(at: .seconds(300))
    #expect(time.suspensions == 2)
    #expect(time.read(at: .seconds(300)) == .seconds(102))
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RunningClockTests {
  let time = EndingClock()
  let clock: RunningClock
  var manual: ManualClock { time.manual }

  init() {
    clock = RunningClock(time.manual)
  }

  @Test func `a watched clock advances by the time that passes, but by only one second during a suspension`() async {
    let start = clock.now
    clock.beginWatching()
    for _ in 0..<5 {
      await manual.waitForSleepers()
      manual.advance(by: .seconds(1))
    }
    #expect(start.duration(to: clock.now) == .seconds(5))
    manual.advance(by: .seconds(3600))
    #expect(start.duration(to: clock.now) == .seconds(6))
    #expect(clock.suspensions == 1)
    clock.endWatching()
  }

  @Test func `a clock that does not notice suspensions includes the time of a suspension, and starts no task`() {
    let clock = RunningClock(manual, noticesSuspensions: false)
    let start = clock.now
    clock.beginWatching()
    manual.advance(by: .seconds(3600))
    #expect(start.duration(to: clock.now) == .seconds(3600))
    #expect(clock.suspensions == 0 && manual.waits.isEmpty)
    clock.endWatching()
  }

  @Test func `the time of a suspension does not shorten a sleep`() async throws {
    clock.beginWatching()
    await manual.waitForSleepers()
    let start = clock.now
    let sleeper = Task { [clock] in
      try await clock.sleep(until: start.advanced(by: .seconds(5)))
      return start.duration(to: clock.now)
    }
    await manual.waitForSleepers(2)
    manual.advance(by: .seconds(3600))
    for _ in 0..<4 {
      await manual.waitForSleepers(2)
      manual.advance(by: .seconds(1))
    }
    #expect(try await sleeper.value == .seconds(5))
    clock.endWatching()
  }

  @Test func `a clock whose watcher has ended notices a suspension again when it has another watcher`() async {
    clock.beginWatching()
    await manual.waitForSleepers()
    clock.endWatching()
    manual.advance(by: .seconds(1))
    // The task that was resumed may still run. If it does, it continues for the next watcher.
    clock.beginWatching()
    await manual.waitForSleepers()
    manual.advance(by: .seconds(3600))
    #expect(clock.suspensions == 1)
    clock.endWatching()
  }

  @Test func `several watchers share one task that reads the clock each second`() async {
    for _ in 0..<3 { clock.beginWatching() }
    for _ in 0..<20 {
      await manual.waitForSleepers()
      manual.advance(by: .seconds(1))
    }
    await manual.waitForSleepers()
    #expect(manual.waits.count == 1)
    for _ in 0..<3 { clock.endWatching() }
  }

  @Test func `a clock that is no longer watched ends its task and is released`() async {
    weak var released: RunningClock?
    do {
      let clock = RunningClock(time.manual)
      released = clock
      clock.beginWatching()
      await manual.waitForSleepers()
      clock.endWatching()
    }
    manual.advance(by: .seconds(1))
    await waitWhile(released != nil)
  }

  @Test func `an instant is less than later instants, and is not less than itself`() {
    let now = clock.now
    let same = now
    #expect(!(now < same))
    #expect(now < now.advanced(by: .nanoseconds(1)))
  }
}
