import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct RoundsTests {
  @Test func `a few are looked at each time, in turn, and those that do not stay come no more`() {
    var rounds = Rounds<Int>()
    for key in 0..<10 { rounds.add(key) }
    var seen: [Int] = []
    for _ in 0..<5 {
      rounds.look { key in
        seen.append(key)
        return !key.isMultiple(of: 2)
      }
    }
    #expect(seen == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 3, 5, 7, 9, 1, 3, 5, 7, 9])
  }

  @Test func `no key is looked at twice in one look`() {
    var rounds = Rounds<Int>()
    rounds.add(1)
    var looks = 0
    rounds.look { _ in
      looks += 1
      return true
    }
    #expect(looks == 1)
  }
}
