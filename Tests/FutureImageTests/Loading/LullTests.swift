import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct LullTests {
  @Test func `it lasts from when nothing has ended between two looks until something does`() {
    var lull = Lull()
    #expect(!lull.lasts)
    let before = lull.look()
    #expect(lull.isLookedFor)
    #expect(!lull.lasts)
    lull.lookAgain(before)
    #expect(!lull.isLookedFor)
    #expect(lull.lasts)
    lull.somethingEnded()
    #expect(!lull.lasts)
  }

  @Test func `it is none if something has ended between two looks`() {
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
