import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite struct TierWritesTests {
  private let one = HeldTier()
  private let other = HeldTier()

  private func write(_ tier: HeldTier, bytes: Int = 0) -> TierWrites.Write {
    TierWrites.Write(tier: ObjectIdentifier(tier), bytes: bytes) { $0() }
  }

  @Test func `nothing begins while others are waited for`() {
    var writes = TierWrites(pixelLimit: 64 << 20)
    writes.add(write(one, bytes: writes.patience))
    #expect(writes.takeDue(isQuiet: false).isEmpty)
    #expect(writes.waitingCount == 1)
    #expect(writes.takeDue(isQuiet: true).count == 1)
    #expect(writes.waitingCount == 0)
  }

  @Test func `beyond the bytes that may wait writes begin, until no more than those wait`() {
    var writes = TierWrites(pixelLimit: 64 << 20)
    for _ in 0..<5 { writes.add(write(one, bytes: writes.patience / 2)) }
    for _ in 0..<3 {
      let due = writes.takeDue(isQuiet: false)
      #expect(due.count == 1)
      for write in due { writes.ended(write) }
    }
    #expect(writes.takeDue(isQuiet: false).isEmpty)
    #expect(writes.waitingCount == 2)
  }

  @Test func `an eighth of what pixels may take may wait, and never so much that nothing more is taken`() {
    #expect(TierWrites(pixelLimit: 80 << 20).patience == 10 << 20)
    #expect(TierWrites(pixelLimit: 4 << 30).patience == TierWrites.limit / 2)
    var writes = TierWrites(pixelLimit: 0)
    writes.add(write(one, bytes: 1))
    #expect(writes.takeDue(isQuiet: false).count == 1)
  }

  @Test func `pictures that nobody asks to be stored are stored all the same`() async {
    let shop = Shop()
    let tier = HeldTier()
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg(60, 45))
    await tier.waitForStores()
    withExtendedLifetime(future) {}
  }

  @Test func `one tier is written to once at a time, in the order in which it was asked, and no tier waits for another`() {
    var writes = TierWrites(pixelLimit: 64 << 20)
    for bytes in 1...3 { writes.add(write(one, bytes: bytes)) }
    let first = writes.takeDue(isQuiet: true)
    #expect(first.map(\.bytes) == [1])
    #expect(writes.takeDue(isQuiet: true).isEmpty)
    writes.add(write(other, bytes: 9))
    #expect(writes.takeDue(isQuiet: true).map(\.bytes) == [9])
    for write in first { writes.ended(write) }
    #expect(writes.takeDue(isQuiet: true).map(\.bytes) == [2])
  }

  @Test func `it is empty when the last write has ended, not when it has begun`() {
    var writes = TierWrites(pixelLimit: 64 << 20)
    #expect(writes.isEmpty)
    writes.add(write(one))
    for write in writes.takeDue(isQuiet: true) {
      #expect(!writes.isEmpty)
      writes.ended(write)
    }
    #expect(writes.isEmpty)
  }

  @Test func `a picture is stored when the decode that somebody waits for has ended`() async throws {
    let decoder = GatedDecoder()
    decoder.close()
    let shop = Shop { $0.decoder = decoder }
    let future = shop.future(policy: .tiers(disk: one))
    async let value = future.value
    await shop.held.waitForRequests()
    while future.state.withLock({ $0.waiters.isEmpty }) { await Task.yield() }
    shop.held.resolve(with: Picture.jpeg())
    await decoder.waitForHeld()
    #expect(shop.loader.state.withLock { $0.writes.waitingCount } == 1)
    decoder.open()
    _ = try await value
    await shop.loader.settled()
    #expect(one.stores == 1)
  }

  @Test func `a tier that hangs keeps no other tier's pictures from being stored`() async {
    let shop = Shop()
    one.holdStores()
    let futures = [shop.future("a", policy: .tiers(disk: one)), shop.future("b", policy: .tiers(disk: other))]
    for name in ["a", "b"] {
      await shop.held.waitForRequests(2)
      shop.held.resolve(Shop.url(name), with: Picture.jpeg())
    }
    await one.waitForStores()
    await other.waitForStores()
    one.letGo()
    await shop.loader.settled()
    #expect((one.stores, other.stores) == (1, 1))
    withExtendedLifetime(futures) {}
  }

  @Test func `a tier may be so many bytes behind, and one that has nothing to do takes a picture of any size`() {
    var writes = TierWrites(pixelLimit: 64 << 20)
    let id = ObjectIdentifier(one)
    #expect(writes.hasRoom(for: TierWrites.limit + 1, of: id))
    writes.add(write(one, bytes: TierWrites.limit - 10))
    #expect(writes.hasRoom(for: 10, of: id))
    #expect(!writes.hasRoom(for: 11, of: id))
    #expect(writes.hasRoom(for: TierWrites.limit, of: ObjectIdentifier(other)))
    #expect(writes.takeDue(isQuiet: true).count == 1)
    #expect(writes.hasRoom(for: TierWrites.limit, of: id))
  }

  @Test func `a picture that a tier is too far behind for is shown and not stored, and takes the older one out of it`() async throws {
    let shop = Shop()
    let old = HeldTier(Colour.red.jpeg())
    let hanging = hang(old, in: shop)
    shop.loader.state.withLock { state in
      state.writes.add(TierWrites.Write(tier: ObjectIdentifier(old), bytes: TierWrites.limit) { end in Task { end() } })
    }
    let future = shop.future(policy: .tiers(disk: old))
    future.reload()
    await shop.held.waitForRequests()
    shop.held.resolve(with: Colour.blue.jpeg())
    #expect(Colour.blue.isNearly(try await future.value.colour))
    #expect(future.keptBytes?.data == Colour.blue.jpeg())
    hanging.send()
    await shop.loader.settled()
    #expect(old.body == nil)
    #expect(old.stores == 0)
    #expect(shop.loader.statistics.cacheFaults == 1)
    #expect(shop.loader.statistics.lastCacheFault?.contains("behind") == true)
  }

  @Test func `while an older picture is still to be removed nobody is given it`() async throws {
    let shop = Shop()
    let old = HeldTier(Colour.red.jpeg())
    let first = shop.future(policy: .tiers(disk: old))
    #expect(Colour.red.isNearly(try await first.value.colour))
    let hanging = hang(old, in: shop)
    first.reload()
    await shop.held.waitForRequests()
    shop.held.resolve(with: Colour.blue.jpeg(), headers: ["cache-control": "no-store"])
    while !shop.loader.state.withLock({ $0.writes.waitingCount == 1 && $0.transfers.isEmpty }) { await Task.yield() }
    let reads = old.readsBegun
    // In another size, or it would have the pixels of the first.
    let second = shop.future(policy: .tiers(disk: old), size: CGSize(width: 4, height: 3))
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Colour.blue.jpeg(), headers: ["cache-control": "no-store"])
    #expect(Colour.blue.isNearly(try await second.value.colour))
    #expect(old.readsBegun == reads)
    #expect(old.body == Colour.red.jpeg())
    hanging.send()
    await shop.loader.settled()
    #expect(old.body == nil)
    #expect(shop.loader.state.withLock { $0.outdated.isEmpty })
  }

  /// Makes a write of the tier hang until the signal is sent.
  private func hang(_ tier: HeldTier, in shop: Shop) -> Signal {
    let hanging = Signal()
    shop.loader.state.withLock { state in
      state.writes.add(
        TierWrites.Write(tier: ObjectIdentifier(tier), bytes: 0) { end in
          Task {
            await hanging.wait()
            end()
          }
        })
      state.beginWrites(by: shop.loader)
    }
    return hanging
  }
}
