import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Stopwatch", .timeLimit(.minutes(5))) struct StopwatchTests {
  @Test func `a stopwatch counts from its creation, by the given clock`() {
    let clock = ManualClock()
    clock.advance(by: .seconds(100))
    let stopwatch = Stopwatch(clock)
    #expect(stopwatch.elapsed == .zero)
    clock.advance(by: .milliseconds(1_500))
    #expect(stopwatch.elapsed == .milliseconds(1_500))
    #expect(stopwatch.elapsed == .milliseconds(1_500))
  }

  @Test func `each stopwatch has its own start, and a copy has the start of its original`() {
    let clock = ManualClock()
    let first = Stopwatch(clock)
    let copy = first
    clock.advance(by: .seconds(2))
    let second = Stopwatch(clock)
    clock.advance(by: .seconds(3))
    #expect(first.elapsed == .seconds(5))
    #expect(copy.elapsed == .seconds(5))
    #expect(second.elapsed == .seconds(3))
  }
}
