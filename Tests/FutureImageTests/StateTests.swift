import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The state of a future, and what it requests next.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct StateTests {
  private let shop = Shop()
  private let whole = FutureImage.PixelSize(width: 64, height: 48)

  private func waiter(_ future: FutureImage, isPrefetch: Bool = false, tell: @escaping @Sendable () -> Void = {}) -> FutureImage.Waiter {
    FutureImage.Waiter(fitting: .full, tell: { _ in tell() }, future: future, id: nil, isPrefetch: isPrefetch)
  }

  private func pixelRequest(_ future: FutureImage, _ step: Step = .full) throws -> LoadRequest {
    let variant = try #require(future.descriptor).variant(0)
    return LoadRequest(.pixels(PixelPool.Key(variant: variant, step: step)), of: future)
  }

  // MARK: Requests

  @Test func `pixels that are requested already are not missing`() throws {
    let (future, small) = (shop.idle(), Step(fraction: 0.125))
    let (descriptor, request) = (try #require(future.descriptor), try pixelRequest(future, small))
    let missing = future.state.withLock { state -> [PixelPool.Key] in
      state.size = .whole(whole)
      state.pixelRequests = [request]
      return state.missingPixels([small, .full], descriptor)
    }
    #expect(missing.map(\.step) == [Step.full])
  }

  @Test func `a request is as urgent as the most urgent reason for it`() {
    let future = shop.idle()
    #expect(future.urgency == .created)
    future.state.withLock { $0.prefetches = 1 }
    #expect(future.urgency == .prefetched)
    future.state.withLock { $0.isBound = true }
    #expect(future.urgency == .bound)
    future.state.withLock { state in
      state.isBound = false
      state.waiters = [waiter(future, isPrefetch: true)]
    }
    #expect(future.urgency == .prefetched)
    future.state.withLock { $0.waiters.append(waiter(future)) }
    #expect(future.urgency == .bound)
    // Waiters retain their future.
    future.state.withLock { $0.waiters = [] }
    let awaited = shop.future("awaited")
    awaited.wait(.full) { _ in }
    #expect(awaited.urgency == .bound)
    awaited.cancel()
  }

  @Test func `steps that are needed while bytes are on their way are noted in their request`() {
    let future = shop.idle()
    let request = future.expectBytes()
    future.state.withLock { $0.size = .whole(whole) }
    future.pursue([.full], retrying: .no)
    #expect(future.state.withLock { _ in request.steps } == Set([Step.full]))
    let small = Step(fraction: 0.125)
    future.change { $0.requestBytes(for: [small], of: future) }
    #expect(future.state.withLock { $0.wish == .requested(request) && request.steps == [small, .full] })
  }

  @Test func `a future in the backlog stays there when pixels are missing from the pool`() {
    let future = shop.idle()
    future.state.withLock { $0.wish = .queued }
    future.change { $0.requestBytes(for: [.full], of: future) }
    #expect(future.state.withLock { $0.wish == .queued })
  }

  @Test func `a future requests its bytes once, and never those of an older generation`() throws {
    let (future, other) = (shop.idle(), shop.idle())
    let descriptor = try #require(future.descriptor)
    future.begin(descriptor, 3)
    let request = future.state.withLock { $0.wish.request }
    #expect(request != nil)
    #expect(future.state.withLock { $0.revision } == 3)
    future.begin(descriptor, 3)
    #expect(future.state.withLock { $0.wish.request } == request)
    other.state.withLock { $0.revision = 5 }
    other.begin(try #require(other.descriptor), 3)
    #expect(other.state.withLock { $0.wish == .none && $0.revision == 5 })
  }

  @Test func `a future that was deferred knows the newest generation once it is registered`() async throws {
    let other = shop.future()
    await shop.serve()
    try await shop.loader.set(Picture.image(40, 30), forKey: other.key)
    let (future, ahead) = (shop.deferred(), shop.deferred())
    ahead.state.withLock { $0.revision = 5 }
    #expect(future.register() == 1 && ahead.register() == 1)
    #expect(future.state.withLock { $0.revision } == 1)
    #expect(ahead.state.withLock { $0.revision } == 5)
    withExtendedLifetime(other) {}
  }

  // MARK: Stages

  @Test func `another attempt ends the failed stage at once`() throws {
    let tier = HeldTier()
    tier.holdReads()
    let failed = FutureImage.State.Stage.failed(Refusals.Refusal(passing: FutureImage.Failure(.status(503))))
    let (future, fetched) = (shop.idle(.tiers(disk: tier)), shop.idle())
    future.state.withLock { $0.stage = failed }
    future.pursue(retrying: .always)
    #expect(future.phase.name == "waiting")
    fetched.state.withLock { state in
      state.size = .whole(whole)
      state.encoded = Encoded(data: Picture.jpeg(), size: whole, isFromDisk: false)
      state.stage = failed
    }
    fetched.pursue([.full], retrying: .always)
    if case .failed = fetched.state.withLock({ $0.stage }) { Issue.record("the future has its failure, although it is decoding") }
    tier.letGo()
  }

  @Test func `a future that begins twice stays with the newer generation`() async throws {
    let first = shop.future()
    await shop.serve()
    let image = try await first.value
    let second = shop.future()
    #expect(second.phase.name == "ready")
    second.state.withLock { $0.revision = 3 }
    second.begin(try #require(second.descriptor), 0)
    #expect(second.state.withLock { $0.revision } == 3)
    withExtendedLifetime(image) {}
  }

  @Test func `an image found in the pool makes its future fetched`() async throws {
    let first = shop.future()
    await shop.serve()
    _ = try await first.value
    let second = shop.future()
    await shop.forgetPixels(of: second)
    #expect(second.phase.name == "fetched")
  }

  @Test func `a new future has the replacement of an image at once`() async throws {
    let first = shop.future()
    await shop.serve()
    first.reload()
    await shop.held.waitForRequests(2)
    await shop.serve("a", Picture.jpeg(800, 600))
    let image = try await first.value
    let second = shop.future()
    #expect(second.phase.name == "ready")
    #expect(try await second.value === image)
  }

  // MARK: Cancellation

  @Test func `a future that waits for nothing but pixels is canceled`() throws {
    let future = shop.idle()
    let request = try pixelRequest(future)
    future.state.withLock { state in
      state.size = .whole(whole)
      state.pixelRequests = [request]
    }
    future.cancel()
    #expect(future.failure?.reason == .cancelled)
    #expect(future.state.withLock { $0.pixelRequests.isEmpty })
  }

  @Test func `a cancellation reaches waiters for which nothing is requested yet`() {
    let (future, isTold) = (shop.idle(), Lock(false))
    future.state.withLock { $0.waiters = [waiter(future) { isTold.withLock { $0 = true } }] }
    future.cancel()
    #expect(isTold.withLock { $0 })
  }

  @Test func `a cancellation ends a revalidation`() {
    let future = shop.idle()
    let revalidation = LoadRequest(.bytes, of: future)
    future.state.withLock { $0.revalidation = revalidation }
    #expect(future.state.withLock { $0.dropRequests() } == [revalidation])
    #expect(future.state.withLock { $0.revalidation } == nil)
  }

  // MARK: Visible images

  @Test func `of two decodes with the same pixels, the first is the future's, and the last is visible`() throws {
    let (future, images) = (shop.idle(), [Picture.decoded(0.125), Picture.decoded(0.125)])
    for image in images { future.adopt(image, at: 0, for: try #require(future.descriptor)) }
    #expect(future.state.withLock { $0.best } === images[0])
    #expect(future.state.withLock { $0.visible } === images[1])
  }

  @Test func `a smaller decode of a newer generation does not replace its whole image`() throws {
    let (future, images) = (shop.idle(), [Picture.image(1200, 900), Picture.decoded(0.125)])
    future.state.withLock { $0.revision = 1 }
    for image in images { future.adopt(image, at: 1, for: try #require(future.descriptor)) }
    #expect(future.state.withLock { $0.visible } === images[0])
  }

  @Test func `changes that nothing watches need no turn of the main actor`() {
    let future = shop.idle()
    #expect(future.state.withLock { $0.mustCommit() } == false)
    future.state.withLock { $0.watched = .pictures }
    #expect(future.state.withLock { $0.mustCommitStage() } == false)
    #expect(future.state.withLock { $0.mustCommit() })
  }

  @MainActor @Test func `an image counts until the main actor shows it`() throws {
    let (future, image) = (shop.idle(), Picture.image())
    future.state.withLock { $0.watched = .pictures }
    future.adopt(image, at: 0, for: try #require(future.descriptor))
    #expect(shop.loader.arrivedBytes.count == image.byteCount)
    future.commit()
    #expect(shop.loader.arrivedBytes.count == 0)
  }

  @MainActor @Test func `an image that had no room until its turn is shown if it still exists then`() throws {
    let shop = Shop(maxPixelBytes: 1)
    let (future, image) = (shop.idle(), Picture.image())
    let share = try #require(shop.loader.arrivedBytes.share(of: 1))
    future.state.withLock { $0.watched = .pictures }
    future.adopt(image, at: 0, for: try #require(future.descriptor))
    #expect(future.state.withLock { $0.arrived.isEmpty && $0.visible == nil })
    future.commit()
    #expect(future.state.withLock { $0.visible } === image)
    withExtendedLifetime(share) {}
  }
}
