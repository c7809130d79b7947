import Testing

@testable import FutureImage

/// The detector polls twice. `poll()` is the first poll, and `finishPoll(_:)` is the second.
@Suite(.timeLimit(.minutes(5))) struct IdleDetectorTests {
  @Test func `if no job ends between two polls, the detector reports idleness until the next job ends`() {
    var idleDetector = IdleDetector()
    #expect(!idleDetector.isIdle)
    #expect(!idleDetector.isPolling)
    let before = idleDetector.poll()
    #expect(idleDetector.isPolling)
    #expect(!idleDetector.isIdle)
    idleDetector.finishPoll(before)
    #expect(!idleDetector.isPolling)
    #expect(idleDetector.isIdle)
    idleDetector.somethingEnded()
    #expect(!idleDetector.isIdle)
  }

  @Test func `the detector does not report idleness if a job ends between two polls`() {
    var idleDetector = IdleDetector()
    let before = idleDetector.poll()
    idleDetector.somethingEnded()
    idleDetector.finishPoll(before)
    #expect(!idleDetector.isIdle)
    #expect(!idleDetector.isPolling)
    idleDetector.finishPoll(idleDetector.poll())
    #expect(idleDetector.isIdle)
  }
}
