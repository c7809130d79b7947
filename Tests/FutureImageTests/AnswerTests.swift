import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Answers of the loader that a future takes, some of them too late.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct AnswerTests {
  private let shop = Shop()
  private let whole = FutureImage.PixelSize(width: 64, height: 48)

  private func bytes(
    revision: UInt32 = 0, isFromDisk: Bool = false, isStored: Bool = true, share: HeldBytes.Share? = nil
  ) -> Encoded {
    Encoded(data: Picture.jpeg(), size: whole, isFromDisk: isFromDisk, revision: revision, isStored: isStored, share: share)
  }

  private func share() -> HeldBytes.Share { shop.loader.heldBytes.share(of: SourceKey("a"), count: 30) }

  private func failure(_ reason: FutureImage.Failure.Reason) -> Answer {
    .failure(Refusals.Refusal(passing: FutureImage.Failure(reason)))
  }

  /// Returns a future that has its bytes.
  private func fetched(_ policy: FutureImage.CachePolicy = .automatic) -> FutureImage {
    let future = shop.idle(policy)
    future.take(.bytes(bytes()), for: future.expectBytes())
    return future
  }

  private func pixelRequest(_ future: FutureImage, _ step: Step = .full) throws -> LoadRequest {
    let variant = try #require(future.descriptor).variant(0)
    return LoadRequest(.pixels(PixelPool.Key(variant: variant, step: step)), of: future)
  }

  // MARK: Bytes

  @Test func `bytes for a canceled request are neither taken nor counted`() {
    let future = shop.idle()
    let (request, late) = (future.expectBytes(), bytes(share: share()))
    future.cancel()
    future.take(.bytes(late), for: request)
    #expect(future.state.withLock { $0.natural } == nil)
    #expect(shop.loader.heldBytes.total == 0)
    withExtendedLifetime(late) {}
  }

  @Test(arguments: [(true, true, true, true), (false, true, true, false), (false, true, false, true), (false, false, true, true)])
  func `bytes are retained for views, and where no disk tier has them`(isBound: Bool, isStored: Bool, hasDisk: Bool, isKept: Bool) {
    let policy: FutureImage.CachePolicy = hasDisk ? .tiers(disk: HeldTier()) : .modelOnly
    let future = shop.idle(policy)
    future.state.withLock { $0.isBound = isBound }
    future.take(.bytes(bytes(isStored: isStored)), for: future.expectBytes())
    #expect((future.keptBytes != nil) == isKept)
  }

  @Test func `a confirmed image is fetched again, and its bytes are not counted twice`() {
    let future = fetched()
    let (reload, confirmed) = (LoadRequest(.bytes, of: future), bytes(share: share()))
    future.state.withLock { state in
      state.stage = .waiting
      state.wish = .reloading(reload)
    }
    future.take(.confirmation(confirmed), for: reload)
    #expect(shop.loader.heldBytes.total == 0)
    #expect(future.phase.name == "fetched")
    withExtendedLifetime(confirmed) {}
  }

  @Test func `a confirmation ends only the revalidation that it answers`() {
    let future = fetched()
    let (revalidation, reload) = (LoadRequest(.bytes, of: future), LoadRequest(.bytes, of: future))
    future.state.withLock { state in
      state.revalidation = revalidation
      state.wish = .reloading(reload)
    }
    future.take(.confirmation(bytes()), for: reload)
    #expect(future.state.withLock { $0.revalidation } == revalidation)
    future.take(.confirmation(bytes()), for: revalidation)
    #expect(future.state.withLock { $0.revalidation } == nil)
  }

  @Test func `a substitute is of the generation that the future has by then`() {
    let future = shop.idle()
    var smaller = bytes()
    smaller.isSubstitute = true
    future.state.withLock { $0.revision = 2 }
    future.take(.substitute(smaller), for: future.expectBytes())
    #expect(future.state.withLock { $0.isSubstitute && $0.revision == 2 })
  }

  @Test func `bytes that no disk tier stores are retained if they are those of the current image`() {
    let (future, unstored) = (shop.idle(.tiers(disk: HeldTier())), bytes(share: share()))
    future.keep(unstored)
    #expect(future.keptBytes == nil)
    future.state.withLock { $0.size = .whole(whole) }
    var newer = unstored
    newer.revision = 1
    future.keep(newer)
    #expect(future.keptBytes == nil)
    #expect(shop.loader.heldBytes.total == 0)
    future.keep(unstored)
    #expect(future.keptBytes?.isStored == false)
    #expect(shop.loader.heldBytes.total == 30)

    let bound = shop.idle(.tiers(disk: HeldTier()))
    bound.state.withLock { state in
      state.size = .whole(whole)
      state.encoded = bytes()
    }
    bound.keep(bytes())
    #expect(bound.keptBytes?.isStored == false)
  }

  @Test func `a future lends its bytes to futures of the same generation, and no substitute`() {
    let (future, other) = (fetched(), shop.idle())
    #expect(future.keptBytes(like: other) != nil)
    other.state.withLock { $0.revision = 1 }
    #expect(future.keptBytes(like: other) == nil)
    other.state.withLock { $0.revision = 0 }
    future.state.withLock { $0.size = .substitute(whole) }
    #expect(future.keptBytes(like: other) == nil)
  }

  // MARK: Replacement

  @Test func `bytes that a failed future gets from another one leave its memory tier alone unless they are newer`() {
    for revision: UInt32 in [0, 2] {
      let memory = HeldMemory()
      let future = shop.idle(.tiers(memory: memory))
      future.take(failure(.status(503)), for: future.expectBytes())
      memory.store(Picture.image(), forKey: "")
      future.recover(with: bytes(revision: revision))
      #expect(future.state.withLock { $0.natural == whole && $0.revision == revision })
      #expect((memory.image(forKey: "") == nil) == (revision > 0))
    }
  }

  @Test func `a future leaves the backlog for a newer image only`() {
    let future = shop.idle()
    future.state.withLock { $0.wish = .queued }
    future.replace(by: bytes(), answering: [])
    #expect(future.state.withLock { $0.wish == .queued && $0.natural == nil })
    future.replace(by: bytes(revision: 1), answering: [])
    #expect(future.state.withLock { $0.wish == .none && $0.natural == whole && $0.revision == 1 })
  }

  @MainActor @Test func `nothing of a replaced image is left`() throws {
    let (future, image) = (fetched(), Picture.image())
    let (old, revalidation) = (try pixelRequest(future), LoadRequest(.bytes, of: future))
    future.state.withLock { $0.watched = .pictures }
    future.adopt(image, at: 0, for: try #require(future.descriptor))
    #expect(shop.loader.arrivedBytes.count == image.byteCount)
    future.state.withLock { state in
      state.pixelRequests = [old]
      state.revalidation = revalidation
    }
    future.replace(by: bytes(revision: 1), answering: [])
    #expect(future.state.withLock { $0.best == nil && $0.arrived.isEmpty })
    #expect(future.state.withLock { $0.pixelRequests.isEmpty && $0.revalidation == nil })
    #expect(shop.loader.arrivedBytes.count == 0)
    withExtendedLifetime(image) {}
  }

  @Test func `pixels of a replaced image that failed during a reload do not count for the new image`() {
    let future = fetched()
    let reload = LoadRequest(.bytes, of: future)
    future.state.withLock { $0.wish = .reloading(reload) }
    reload.pixelsHaveFailed = true
    future.replace(by: bytes(revision: 1), answering: [])
    #expect(future.state.withLock { $0.wish == .reloading(reload) && $0.revision == 1 })
    #expect(!reload.pixelsHaveFailed)
  }

  // MARK: Pixels

  @Test func `an image of another generation is not adopted`() throws {
    let (future, image) = (fetched(), Picture.image())
    let descriptor = try #require(future.descriptor)
    #expect(!future.adopt(image, at: 1, for: descriptor))
    #expect(future.state.withLock { $0.best } == nil)
    #expect(future.adopt(image, at: 0, for: descriptor))
    #expect(future.state.withLock { $0.best } === image)
  }

  @Test func `a memory tier stores the largest image, and no substitute`() throws {
    let (memory, empty) = (HeldMemory(), HeldMemory())
    let (future, other) = (shop.idle(.tiers(memory: memory)), shop.idle(.tiers(memory: empty)))
    let (large, small) = (Picture.decoded(0.5), Picture.decoded(0.125))
    for image in [large, small] { future.adopt(image, at: 0, for: try #require(future.descriptor)) }
    #expect(memory.image(forKey: "") === large)
    other.state.withLock { $0.size = .substitute(whole) }
    other.adopt(large, at: 0, for: try #require(other.descriptor))
    #expect(empty.image(forKey: "") == nil)
  }

  @Test func `answers to requests for pixels that a future no longer has change nothing`() throws {
    let (future, image) = (fetched(), Picture.image())
    future.state.withLock { $0.encoded = bytes(isFromDisk: true) }
    for answer in [failure(.outOfMemory), Answer.undecodable, Answer.image(image)] {
      future.take(answer, for: try pixelRequest(future))
      #expect(future.state.withLock { $0.best == nil && $0.wish == .none })
      #expect(future.keptBytes != nil && future.phase.name == "fetched")
    }
    withExtendedLifetime(image) {}
  }

  static let failedDecodes: [(FutureImage.Failure.Reason, Bool, Bool, Bool)] = [
    (.undecodable(""), false, false, false), (.undecodable(""), false, true, false), (.transformFailed(""), true, true, false),
    (.transformFailed(""), false, true, true), (.transformFailed(""), true, false, true), (.outOfMemory, false, true, true)
  ]

  @Test(arguments: failedDecodes)
  func `bytes that are not at fault outlast a failed decode if they are nowhere else`(
    reason: FutureImage.Failure.Reason, isStored: Bool, hasDisk: Bool, isKept: Bool
  ) throws {
    let policy: FutureImage.CachePolicy = hasDisk ? .tiers(disk: HeldTier()) : .modelOnly
    let future = fetched(policy)
    let request = try pixelRequest(future)
    future.state.withLock { state in
      state.encoded = bytes(isStored: isStored)
      state.pixelRequests = [request]
    }
    future.take(failure(reason), for: request)
    #expect((future.keptBytes != nil) == isKept)
    #expect(future.failure?.reason == reason)
  }

  @Test func `corrupt bytes are dropped during a reload, which goes on, and decodes of their other sizes are canceled`() throws {
    let future = fetched()
    let (reload, steps) = (LoadRequest(.bytes, of: future), [Step(fraction: 0.125), Step.full])
    let requests = try steps.map { try pixelRequest(future, $0) }
    future.state.withLock { state in
      state.encoded = bytes(isFromDisk: true)
      state.pixelRequests = requests
      state.wish = .reloading(reload)
    }
    future.take(.undecodable, for: requests[0])
    #expect(future.keptBytes == nil)
    #expect(future.state.withLock { $0.pixelRequests.isEmpty && $0.wish == .reloading(reload) })
    #expect(shop.loader.state.withLock { _ in requests.map(\.isCanceled) } == [false, true])
  }

  // MARK: Failures and progress

  @Test func `nothing that follows a cancellation replaces it`() {
    let future = shop.idle()
    let request = future.expectBytes()
    future.cancel()
    future.take(.progress(0.5), for: request)
    #expect(future.failure?.reason == .cancelled)
    future.take(failure(.transport(.offline)), for: request)
    #expect(future.failure?.reason == .cancelled)
  }

  @Test func `a canceled lookup in the caches finds nothing, even if the memory tier has the image by then`() {
    let memory = HeldMemory()
    let future = shop.idle(.tiers(memory: memory).onlyFromCache)
    let request = future.expectBytes()
    future.cancel()
    memory.store(Picture.image(), forKey: "")
    future.take(.notCached, for: request)
    #expect(future.state.withLock { $0.natural } == nil)
    #expect(future.failure?.reason == .cancelled)
  }

  @Test func `a failed reload leaves the future fetched`() {
    let future = fetched()
    let reload = LoadRequest(.bytes, of: future)
    future.state.withLock { state in
      state.stage = .waiting
      state.wish = .reloading(reload)
    }
    future.take(failure(.status(503)), for: reload)
    #expect(future.phase.name == "fetched")
  }

  @Test func `an unknown fraction replaces one of zero`() {
    let future = shop.idle()
    let request = future.expectBytes()
    future.take(.progress(0), for: request)
    future.take(.progress(nil), for: request)
    guard case .loading(nil) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
  }
}
