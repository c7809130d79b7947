import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct IdleDetectorTests {
  @Test func `if no job ends between two polls, the detector reports idleness until the next job ends`() {
    var idleDetector = IdleDetector()
    #expect(!idleDetector.lasts)
    #expect(!idleDetector.isPolling)
    let before = idleDetector.poll()
    #expect(idleDetector.isPolling)
    #expect(!idleDetector.lasts)
    idleDetector.finishPoll(before)
    #expect(!idleDetector.isPolling)
    #expect(idleDetector.lasts)
    idleDetector.somethingEnded()
    #expect(!idleDetector.lasts)
  }

  @Test func `the detector does not report idleness if a job ends between two polls`() {
    var idleDetector = IdleDetector()
    let before = idleDetector.poll()
    idleDetector.somethingEnded()
    idleDetector.finishPoll(before)
    #expect(!idleDetector.lasts)
    #expect(!idleDetector.isPolling)
    idleDetector.finishPoll(idleDetector.poll())
    #expect(idleDetector.lasts)
  }
}
