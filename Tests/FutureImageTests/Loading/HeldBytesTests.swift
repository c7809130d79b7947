import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The encoded bytes that futures retain, under one limit.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HeldBytesTests {
  private let key = SourceKey("a")

  @Test func `the oldest bytes are released first, and those in a disk tier before all others`() {
    let held = HeldBytes(limit: 100)
    let shares = (0..<6).map { _ in held.share(of: key, count: 30) }
    #expect(held.hold(shares[0], isStored: false).isEmpty)
    #expect(held.hold(shares[1], isStored: true).isEmpty)
    #expect(held.hold(shares[2], isStored: true).isEmpty)
    #expect(held.hold(shares[3], isStored: false).map { ObjectIdentifier($0) } == [ObjectIdentifier(shares[1])])
    #expect(held.hold(shares[4], isStored: false).map { ObjectIdentifier($0) } == [ObjectIdentifier(shares[2])])
    #expect(held.hold(shares[5], isStored: true).map { ObjectIdentifier($0) } == [ObjectIdentifier(shares[0])])
    #expect(held.total == 90)
    #expect(held.hold(shares[0], isStored: false).count == 1)
    withExtendedLifetime(shares) {}
  }

  @Test func `bytes that a disk tier could not store after all are released last`() {
    let held = HeldBytes(limit: 100)
    let shares = (0..<4).map { _ in held.share(of: key, count: 30) }
    for share in shares.prefix(3) { #expect(held.hold(share, isStored: true).isEmpty) }
    #expect(held.hold(shares[0], isStored: false).isEmpty)
    #expect(held.hold(shares[3], isStored: true).map { ObjectIdentifier($0) } == [ObjectIdentifier(shares[1])])
    #expect(held.total == 90)
    withExtendedLifetime(shares) {}
  }

  @Test(arguments: [false, true]) func `a share counts once until it is released`(isStored: Bool) {
    let held = HeldBytes(limit: 100)
    var share: HeldBytes.Share? = held.share(of: key, count: 30)
    #expect(held.total == 0)
    for _ in 0..<3 { _ = share.map { held.hold($0, isStored: isStored) } }
    #expect(held.total == 30)
    share = nil
    #expect(held.total == 0)
  }

  @Test func `a share larger than the limit is retained while it is the newest`() {
    let held = HeldBytes(limit: 100)
    let (large, next) = (held.share(of: key, count: 300), held.share(of: key, count: 1))
    #expect(held.hold(large, isStored: true).isEmpty)
    #expect(held.hold(next, isStored: false).count == 1)
    #expect(held.total == 1)
    withExtendedLifetime((large, next)) {}
  }

  private func beginning(_ count: Int) throws -> PartialBody {
    try #require(PartialBody(Data(count: count - 7), of: FutureImage.Response(status: 200, headers: ["etag": "\"1\""])))
  }

  @Test func `partial bodies count until they are taken and are released before anything else`() throws {
    let held = HeldBytes(limit: 100)
    let url = Shop.url()
    for (name, count) in [("a", 40), ("b", 40), ("b", 50)] { held.keep(try beginning(count), of: SourceKey(name), from: url) }
    #expect(held.total == 90)
    held.keep(try beginning(30), of: SourceKey("c"), from: url)
    #expect(held.total == 80)
    #expect(held.takeBeginning(of: SourceKey("a"), from: url) == nil)
    #expect(held.takeBeginning(of: SourceKey("b"), from: url)?.data.count == 43)
    #expect(held.takeBeginning(of: SourceKey("b"), from: url) == nil)
    let share = held.share(of: key, count: 90)
    #expect(held.hold(share, isStored: false).isEmpty)
    #expect(held.total == 90)
    held.keep(try beginning(11), of: SourceKey("d"), from: url)
    #expect(held.total == 90)
    withExtendedLifetime(share) {}
  }

  @Test func `a partial body serves only its own URL`() throws {
    let held = HeldBytes(limit: 100)
    held.keep(try beginning(40), of: key, from: Shop.url("a"))
    #expect(held.takeBeginning(of: key, from: Shop.url("b")) == nil)
    #expect(held.total == 0)
  }

  @Test func `at most a thousand partial bodies are retained`() throws {
    let held = HeldBytes(limit: .max)
    for number in 0..<1_010 { held.keep(try beginning(10), of: SourceKey("\(number)"), from: Shop.url()) }
    #expect(held.total == 10_000)
  }

  /// If no disk tier stores an image, its futures retain its bytes. The total of such bytes used to be unlimited.
  @Test func `futures without a disk tier retain two of the largest bodies and fetch released ones again`() async throws {
    let picture = Picture.noise(200, 150)
    let shop = Shop(maxPixelBytes: 0) { $0.maxBytes = picture.count }
    var futures: [FutureImage] = []
    for number in 0..<20 {
      futures.append(shop.future("\(number)", policy: .modelOnly))
      await shop.serve("\(number)", picture)
    }
    #expect(shop.loader.heldBytes.total <= 2 * picture.count)
    #expect(futures.count { $0.keptBytes != nil } == 2)
    #expect(futures[19].keptBytes != nil)
    let first = futures[0]
    async let value = first.value
    await waitWhile(first.waiterCount == 0)
    await shop.serve("0", picture)
    #expect(try await value.size == CGSize(width: 200, height: 150))
    #expect(shop.held.requests.count == 21)
  }

  @Test func `bytes that were set and no tier stores are never released`() async throws {
    let shop = Shop { $0.maxBytes = 20_000 }
    let future = shop.future("set", policy: .modelOnly)
    await shop.serve("set", Picture.jpeg(8, 6))
    try await shop.loader.set(Picture.image(8, 6, red: 0, green: 0, blue: 250), forKey: future.key)
    var others: [FutureImage] = []
    for number in 0..<20 {
      others.append(shop.future("\(number)", policy: .modelOnly))
      await shop.serve("\(number)", Picture.noise(80, 60))
    }
    #expect(future.keptBytes != nil)
    #expect(shop.loader.heldBytes.total <= 40_000)
    withExtendedLifetime(others) {}
  }
}
