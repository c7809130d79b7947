import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(1))) struct WishTests {
  static let all: [FutureImage.Wish] = [.deferred, .none, .putOff(1), .asked(1), .reloading(1)]

  @Test(
    "only a wish that is asked for has a ticket, and the loader knows no wish of its backlog",
    arguments: zip(all, [(nil, nil), (nil, nil), (1, nil), (1, 1), (1, 1)] as [(UInt32?, UInt32?)]))
  func tickets(_ wish: FutureImage.Wish, _ tickets: (UInt32?, UInt32?)) {
    #expect(wish.ticket == tickets.0)
    #expect(wish.loadersTicket == tickets.1)
  }

  @Test("a wish is taken out of the backlog once, and by its own ticket")
  func takingUp() {
    var wish = FutureImage.Wish.putOff(3)
    let takings = [wish.takeUp(2), wish.takeUp(3), wish.takeUp(3), wish.takeUp()]
    #expect(takings == [nil, 3, nil, nil])
    #expect(wish == .asked(3))
  }

  @Test("nothing but the backlog's wish can be taken out of it", arguments: all.filter { !$0.isPutOff })
  func takingUpNothing(_ wish: FutureImage.Wish) {
    var after = wish
    let taken = after.takeUp()
    #expect(taken == nil)
    #expect(after == wish)
  }

  @Test("an answer ends the wish that it is for, and no other", arguments: all)
  func ending(_ wish: FutureImage.Wish) {
    var after = wish
    let (byAnother, byItsOwn) = (after.end(2), after.end(1))
    #expect(!byAnother)
    #expect(byItsOwn == (wish.ticket != nil))
    #expect(after == (wish.ticket == nil ? wish : .none))
  }
}
