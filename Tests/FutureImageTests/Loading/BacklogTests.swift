import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct BacklogTests {
  let shop = Shop()

  /// Returns more futures than a lane enqueues before it defers others.
  private func many(_ priority: FutureImage.Priority = .normal, in shop: Shop, from first: Int = 0) -> [FutureImage] {
    (first..<first + 100).map { FutureImage(.url(Shop.url("\($0)")), priority: priority, loader: shop.loader) }
  }

  private func backlogIsEmpty(_ shop: Shop) -> Bool { !shop.loader.hasBacklog }

  @Test func `all waiting futures are fetched in the order of their creation`() async {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let futures = many(in: shop)
    #expect(!backlogIsEmpty(shop))
    for number in 0..<100 {
      await shop.held.waitForRequests(number + 1)
      shop.held.resolve(with: Picture.jpeg())
    }
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.map(\.url) == (0..<100).map { Shop.url("\($0)") })
    #expect(futures.allSatisfy { if case .fetched = $0.phase { true } else { false } })
    #expect(backlogIsEmpty(shop))
  }

  @Test func `a bound future overtakes the others`() async {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let futures = many(in: shop)
    await shop.held.waitForRequests()
    let view = await imageView(10)
    await MainActor.run { view.futureImage = futures[99] }
    shop.held.resolve(with: Picture.jpeg())
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.url == Shop.url("99"))
  }

  @Test func `released and canceled futures are not fetched`() async {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    var futures = many(in: shop)
    futures[98].cancel()
    futures.removeLast()
    for number in 0..<98 {
      await shop.held.waitForRequests(number + 1)
      shop.held.resolve(with: Picture.jpeg())
    }
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 98)
  }

  @Test func `a reloaded future is requested once`() async {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let futures = many(in: shop)
    futures[99].reload()
    for number in 0..<100 {
      await shop.held.waitForRequests(number + 1)
      shop.held.resolve(with: Picture.jpeg())
    }
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 100)
    #expect(shop.held.requests[1].url == Shop.url("99"))
  }

  @Test func `a request to another host does not wait behind the backlog`() async throws {
    let futures = many(in: shop)
    let url = try #require(URL(string: "https://other.test/x.jpg"))
    let other = FutureImage(at: url, loader: shop.loader)
    await shop.held.waitForRequests(7)
    #expect(shop.held.requests.contains { $0.url == url })
    withExtendedLifetime((futures, other)) {}
  }

  @Test func `high-priority futures go first, and low-priority futures go last`() async {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let low = many(.low, in: shop)
    let normal = many(in: shop, from: 100)
    let high = many(.high, in: shop, from: 200)
    for number in 0..<300 {
      await shop.held.waitForRequests(number + 1)
      shop.held.resolve(with: Picture.jpeg())
    }
    await shop.loader.waitUntilSettled()
    let order = shop.held.requests.compactMap { Int($0.url.deletingPathExtension().lastPathComponent) }
    // The first low-priority futures were in the table before the others were created.
    #expect(order.dropFirst().prefix(100).allSatisfy { $0 >= 200 })
    #expect(order.suffix(60).allSatisfy { $0 < 100 })
    withExtendedLifetime((low, normal, high)) {}
  }

  @Test func `entries are swept only when most futures are released, and then a few at a time`() {
    var backlog = Backlog()
    let lane = Backlog.Name(lane: "")
    let futures = (0..<5_000).map { _ in FutureImage() }
    for (number, future) in futures.enumerated() {
      #expect(backlog.append(future, lane: lane, isLow: false, living: max(number, futures.count / 4)).isEmpty)
    }
    let last = backlog.append(FutureImage(), lane: lane, isLow: false, living: futures.count / 4)
    #expect(last.count == 64)
  }

  @Test func `entries of released futures do not accumulate`() {
    var backlog = Backlog()
    let lane = Backlog.Name(lane: "")
    let living = shop.future("living")
    var isLiving: [FutureImage] = []
    for number in 0..<10_000 {
      let future = number == 5_000 ? living : FutureImage()
      isLiving = backlog.append(future, lane: lane, isLow: false, living: 1)
      #expect(isLiving.allSatisfy { $0 === living })
    }
    var left = 0
    var found: [FutureImage] = []
    while let entry = backlog.takeNext(where: { _ in true }) {
      left += 1
      if let future = entry.future { found.append(future) }
    }
    #expect(left <= 1025)
    #expect(found == [living])
    #expect(backlog.isEmpty)
  }

  @Test func `each search tries a few of many lanes, and every free lane is found`() {
    var backlog = Backlog()
    let futures = (0..<10_000).map { _ in FutureImage() }
    for (number, future) in futures.enumerated() {
      _ = backlog.append(future, lane: Backlog.Name(lane: "\(number)"), isLow: false, living: 10_000)
    }
    var (asked, most, taken) = (0, 0, Set<FutureImage>())
    for _ in 0..<20_000 {
      asked = 0
      // Every hundredth lane is free.
      let entry = backlog.takeNext { name in
        asked += 1
        return Int(name.lane)?.isMultiple(of: 100) ?? false
      }
      most = max(most, asked)
      if let future = entry?.future { taken.insert(future) }
    }
    #expect(most <= 9)
    #expect(taken == Set(stride(from: 0, to: 10_000, by: 100).map { futures[$0] }))
  }

  @Test(arguments: [1, 8, 9, 100])
  func `the backlog knows whether one search tries every lane`(count: Int) {
    var backlog = Backlog()
    let future = FutureImage()
    for number in 0..<count {
      _ = backlog.append(future, lane: Backlog.Name(lane: "\(number)"), isLow: false, living: count)
    }
    var asked: Set<String> = []
    _ = backlog.takeNext { name in
      asked.insert(name.lane)
      return false
    }
    #expect(backlog.isAskedInOneLook == (asked.count == count))
  }

  @Test func `a lane whose tier has room is found behind any number of lanes whose tiers have none`() {
    var backlog = Backlog()
    let future = FutureImage()
    for number in 0..<10_000 {
      let name = Backlog.Name(lane: "\(number)", tier: "hung \(number % 8)")
      _ = backlog.append(future, lane: name, isLow: false, living: 10_000)
    }
    let free = [FutureImage(), FutureImage()]
    _ = backlog.append(free[0], lane: Backlog.Name(lane: "0", tier: "other"), isLow: false, living: 10_000)
    _ = backlog.append(free[1], lane: Backlog.Name(lane: "0"), isLow: false, living: 10_000)
    let hasRoom: (String?) -> Bool = { $0?.hasPrefix("hung") != true }
    let taken = (0..<2).map { _ in backlog.takeNext(ofTier: hasRoom, where: { _ in true })?.future }
    #expect(Set(taken) == Set(free))
    #expect(backlog.takeNext(ofTier: hasRoom, where: { _ in true }) == nil)
    #expect(!backlog.isEmpty)
  }

  /// Returns the living futures of the next entries.
  private func take(_ count: Int, from backlog: inout Backlog) -> [FutureImage] {
    (0..<count).compactMap { _ in backlog.takeNext(where: { _ in true })?.future }
  }

  @Test func `a sweep counts no entries that were taken, and the next one continues behind it`() {
    var backlog = Backlog()
    let lane = Backlog.Name(lane: "")
    let futures = (0..<1_200).map { _ in FutureImage() }
    var next = 0
    func append() -> [FutureImage] {
      defer { next += 1 }
      return backlog.append(futures[next], lane: lane, isLow: false, living: 0)
    }
    for _ in 0..<1_024 { #expect(append().isEmpty) }
    #expect(take(32, from: &backlog) == Array(futures[..<32]))
    for _ in 0..<32 { #expect(append().isEmpty) }
    // There are as many entries as before, and half of the first chunk is left.
    #expect(append() == Array(futures[32..<64]))
    #expect(take(1, from: &backlog) == [futures[32]])
    #expect(append() == Array(futures[64..<128]))
    #expect(take(32, from: &backlog) == Array(futures[33..<65]))
    for _ in 0..<31 { #expect(append().isEmpty) }
    #expect(append() == Array(futures[128..<192]))
  }

  @Test func `a sweep removes the entries of released futures, and the next one waits until there are many again`() {
    var backlog = Backlog()
    let lane = Backlog.Name(lane: "")
    var fading = (0..<64).map { _ in FutureImage() }
    let living = (0..<1_000).map { _ in FutureImage() }
    for future in fading + living.prefix(960) {
      #expect(backlog.append(future, lane: lane, isLow: false, living: 0).isEmpty)
    }
    fading.removeLast(48)
    #expect(backlog.append(living[960], lane: lane, isLow: false, living: 0) == fading)
    #expect(backlog.append(living[961], lane: lane, isLow: false, living: 0).isEmpty)
    #expect(take(17, from: &backlog) == fading + [living[0]])
  }

  @Test func `sweeps go round`() {
    var backlog = Backlog()
    let lane = Backlog.Name(lane: "")
    let futures = (0..<1_042).map { _ in FutureImage() }
    let swept = futures.map { backlog.append($0, lane: lane, isLow: false, living: 0) }
    #expect(swept[..<1_024].flatMap { $0 } == [])
    #expect(swept[1_024..<1_040].flatMap { $0 } == Array(futures[..<1_024]))
    #expect(swept[1_040] == Array(futures[1_024..<1_040]))
    #expect(swept[1_041] == Array(futures[..<64]))
  }

  @Test func `a lane and its tier leave with their last entry, and may come again`() {
    var backlog = Backlog()
    for lane in ["a", "a", "b"] {
      let future = FutureImage()
      _ = backlog.append(future, lane: Backlog.Name(lane: lane, tier: "tier"), isLow: false, living: 1)
      #expect(take(2, from: &backlog) == [future])
      #expect(backlog.isEmpty)
    }
  }

  @Test func `a search asks once whether a tier has room, and skips no tier that it does not reach`() {
    var backlog = Backlog()
    let (busy, free) = (FutureImage(), FutureImage())
    for lane in 0..<8 { _ = backlog.append(busy, lane: Backlog.Name(lane: "\(lane)", tier: "busy"), isLow: false, living: 9) }
    var asked: [String?] = []
    let none = backlog.takeNext(
      ofTier: { tier in
        asked.append(tier)
        return false
      }, where: { _ in true })
    #expect(none == nil)
    #expect(asked == ["busy"])
    _ = backlog.append(free, lane: Backlog.Name(lane: "free", tier: "other"), isLow: false, living: 9)
    let found = (0..<2).map { _ in backlog.takeNext(where: { $0.tier == "other" })?.future }
    #expect(found == [nil, free])
  }

  @Test func `as many transfers wait in the tables as are enough, and no more`() async {
    let shop = Shop { $0.maxTransfersPerHost = 1 }
    let futures = many(in: shop)
    var most = shop.loader.waitingTransferCount
    #expect(most == FutureImage.Loader.State.enough)
    for number in 0..<100 {
      await shop.held.waitForRequests(number + 1)
      await waitWhile(shop.loader.state.withLock({ $0.isAdmitting }))
      most = max(most, shop.loader.waitingTransferCount)
      shop.held.resolve(with: Picture.jpeg())
    }
    await shop.loader.waitUntilSettled()
    #expect(most == FutureImage.Loader.State.enough)
    withExtendedLifetime(futures) {}
  }

  @Test func `as many lookups of a tier wait in the tables as are enough, and no more`() async {
    let tier = HeldTier()
    tier.holdReads()
    let futures = (0..<100).map { shop.future("\($0)", policy: .tiers(disk: tier)) }
    #expect(shop.loader.state.withLock { $0.lookups.waitingCount } == FutureImage.Loader.State.enough)
    tier.letGo()
    withExtendedLifetime(futures) {}
  }
}
