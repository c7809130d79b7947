import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct LullTests {
  @Test func `a lull lasts from two checks with no end between them until something ends`() {
    var lull = Lull()
    #expect(!lull.lasts)
    #expect(!lull.isLookedFor)
    let before = lull.look()
    #expect(lull.isLookedFor)
    #expect(!lull.lasts)
    lull.lookAgain(before)
    #expect(!lull.isLookedFor)
    #expect(lull.lasts)
    lull.somethingEnded()
    #expect(!lull.lasts)
  }

  @Test func `there is no lull if something ended between two checks`() {
    var lull = Lull()
    let before = lull.look()
    lull.somethingEnded()
    lull.lookAgain(before)
    #expect(!lull.lasts)
    #expect(!lull.isLookedFor)
    lull.lookAgain(lull.look())
    #expect(lull.lasts)
  }
}
