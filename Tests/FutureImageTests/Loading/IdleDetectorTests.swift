import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct IdleDetectorTests {
  @Test func `the detector reports idleness after two polls without an end between them, until a job ends`() {
    var idleDetector = IdleDetector()
    #expect(!idleDetector.lasts)
    #expect(!idleDetector.isLookedFor)
    let before = idleDetector.poll()
    #expect(idleDetector.isLookedFor)
    #expect(!idleDetector.lasts)
    idleDetector.lookAgain(before)
    #expect(!idleDetector.isLookedFor)
    #expect(idleDetector.lasts)
    idleDetector.somethingEnded()
    #expect(!idleDetector.lasts)
  }

  @Test func `the detector does not report idleness if a job ends between two polls`() {
    var idleDetector = IdleDetector()
    let before = idleDetector.poll()
    idleDetector.somethingEnded()
    idleDetector.lookAgain(before)
    #expect(!idleDetector.lasts)
    #expect(!idleDetector.isLookedFor)
    idleDetector.lookAgain(idleDetector.poll())
    #expect(idleDetector.lasts)
  }
}
