import Testing

@testable import FutureImage

@Suite(.timeLimit(.minutes(5))) struct RoundsTests {
  @Test func `each call of checkNext checks the next four keys in turn, and later calls do not check removed keys`() {
    var rounds = Rounds<Int>()
    for key in 0..<10 { rounds.add(key) }
    var visitedKeys: [Int] = []
    for _ in 0..<5 {
      rounds.checkNext { key in
        visitedKeys.append(key)
        return !key.isMultiple(of: 2)
      }
    }
    #expect(visitedKeys == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 3, 5, 7, 9, 1, 3, 5, 7, 9])
  }

  @Test func `one call of checkNext checks each key at most once, even if there are fewer than four keys`() {
    var rounds = Rounds<Int>()
    rounds.add(1)
    var checkCount = 0
    rounds.checkNext { _ in
      checkCount += 1
      return true
    }
    #expect(checkCount == 1)
  }
}
