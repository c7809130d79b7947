import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct DurationTests {
  @Test(arguments: [(0, 0), (250, 0.25), (1_500, 1.5), (-1_500, -1.5)] as [(Int, Double)])
  func `the seconds of a duration include the fraction of a second`(milliseconds: Int, seconds: Double) {
    #expect(Duration.milliseconds(milliseconds).seconds == seconds)
  }
}
