import Testing

@testable import FutureImage

@Suite("LiveFutures", .timeLimit(.minutes(5))) struct LiveFuturesTests {
  private func id(_ future: FutureImage) -> ObjectIdentifier { ObjectIdentifier(future) }

  @Test("Each future is found by its identity and the key it was put in with", arguments: 1...4)
  func finds(count: Int) {
    var live = LiveFutures()
    let futures = (0..<count).map { _ in FutureImage() }
    for future in futures { live.insert(future, key: "a") }
    for future in futures {
      #expect(live.future(Ask(future, 1), key: "a") === future)
      #expect(live.future(Ask(future, 1), key: "b") == nil)
    }
    #expect(Set(live.futures(key: "a").map(id)) == Set(futures.map(id)))
    #expect(live.futures(key: "a").count == count)
    #expect(live.futures(key: "b").isEmpty)
    #expect(live.count == count)
  }

  @Test("Futures of one key are a crowd if there are two of them or more", arguments: 1...4)
  func crowd(count: Int) {
    var live = LiveFutures()
    let futures = (0..<count).map { _ in FutureImage() }
    for future in futures { live.insert(future, key: "a") }
    #expect(live.crowd(key: "a", atMost: 3).count == (count == 1 ? 0 : min(count, 3)))
    #expect(live.crowd(key: "b", atMost: 3).isEmpty)
    withExtendedLifetime(futures) {}
  }

  @Test("Only the last to leave a key is told that it was the last", arguments: 1...4)
  func last(count: Int) {
    var live = LiveFutures()
    let futures = (0..<count).map { _ in FutureImage() }
    let other = FutureImage()
    for future in futures { live.insert(future, key: "a") }
    live.insert(other, key: "b")
    let told = futures.map { live.remove(id($0), key: "a") }
    #expect(told == (1...count).map { $0 == count })
    #expect(live.futures(key: "a").isEmpty)
    #expect(live.future(Ask(other, 1), key: "b") === other)
    #expect(live.count == 1)
  }

  @Test("Who is not there leaves nobody behind and is not the last", arguments: 1...3)
  func stranger(count: Int) {
    var live = LiveFutures()
    let futures = (0..<count).map { _ in FutureImage() }
    let stranger = FutureImage()
    for future in futures { live.insert(future, key: "a") }
    let told = ["a", "b"].map { live.remove(id(stranger), key: $0) }
    #expect(told == [false, false])
    #expect(live.futures(key: "a").count == count)
    #expect(live.count == count)
  }

  @Test("Futures are not kept alive", arguments: 1...3)
  func weakly(count: Int) {
    var live = LiveFutures()
    var futures = (0..<count).map { _ in FutureImage() }
    for future in futures { live.insert(future, key: "a") }
    let first = id(futures[0])
    futures.removeFirst()
    #expect(live.future(Ask(first, 1), key: "a") == nil)
    #expect(live.futures(key: "a").count == count - 1)
    #expect(live.remove(first, key: "a") == (count == 1))
  }
}
