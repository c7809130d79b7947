import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct WishTests {
  /// Each case, whether bytes are expected, and whether there is a request for them.
  static func all(_ request: LoadRequest) -> [(wish: FutureImage.Wish, isPending: Bool, hasRequest: Bool)] {
    [
      (.deferred, false, false), (.none, false, false), (.queued, true, false), (.requested(request), true, true),
      (.reloading(request), true, true)
    ]
  }

  private let future = FutureImage()

  @Test func `queued and requested bytes are pending, and only requested ones have a request`() {
    let request = LoadRequest(.bytes, of: future)
    for (wish, isPending, hasRequest) in Self.all(request) {
      #expect(wish.isPending == isPending)
      #expect(wish.request == (hasRequest ? request : nil))
    }
  }

  @Test func `a future leaves the backlog once`() {
    var wish = FutureImage.Wish.queued
    let request = wish.leaveBacklog(of: future)
    #expect(request != nil)
    #expect(wish == request.map { .requested($0) })
    let again = wish.leaveBacklog(of: future)
    #expect(again == nil)
    #expect(wish == request.map { .requested($0) })
  }

  @Test func `only a queued future leaves the backlog`() {
    for (wish, _, _) in Self.all(LoadRequest(.bytes, of: future)) where wish != .queued {
      var after = wish
      let request = after.leaveBacklog(of: future)
      #expect(request == nil)
      #expect(after == wish)
    }
  }

  @Test func `an answer ends only the request that it answers`() {
    let (request, other) = (LoadRequest(.bytes, of: future), LoadRequest(.bytes, of: future))
    for (wish, _, hasRequest) in Self.all(request) {
      var after = wish
      let (byAnother, byItsOwn) = (after.end(other), after.end(request))
      #expect(!byAnother)
      #expect(byItsOwn == hasRequest)
      #expect(after == (hasRequest ? .none : wish))
    }
  }
}
