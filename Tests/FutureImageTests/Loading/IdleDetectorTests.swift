import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct IdleDetectorTests {
  @Test func `a idleDetector lasts from two checks with no end between them until something ends`() {
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

  @Test func `there is no idleDetector if something ended between two checks`() {
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
