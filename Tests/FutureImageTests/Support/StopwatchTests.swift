import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Stopwatch", .timeLimit(.minutes(5))) struct StopwatchTests {
  @Test("It counts from the moment it was made, by the clock it was given")
  func counts() {
    let clock = ManualClock()
    clock.advance(by: .seconds(100))
    let stopwatch = Stopwatch(clock)
    #expect(stopwatch.elapsed == .zero)
    clock.advance(by: .milliseconds(1_500))
    #expect(stopwatch.elapsed == .milliseconds(1_500))
    #expect(stopwatch.elapsed == .milliseconds(1_500))
  }

  @Test("Each has its own beginning; a copy has that of the first")
  func beginnings() {
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
