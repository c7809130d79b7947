import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Failures that are permanent for a request and pass for a future: after a captive portal's page, say.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FailureMemoryTests {
  enum Answer: Sendable, CaseIterable {
    case portal, missing, broken

    func give(by held: HeldFetcher) {
      switch self {
      case .portal: held.resolve(with: Data("<html>Please accept our terms.</html>".utf8), headers: ["content-type": "text/html"])
      case .missing: held.answer(nil, FutureImage.Response(status: 404))
      case .broken: held.resolve(with: Picture.noise(64, 48).prefix(2000))
      }
    }
  }

  let shop = Shop()
  private let memory = FutureImage.RetryPolicy().failureMemory

  /// A future that somebody waits for, and that has failed.
  private func failed(_ answer: Answer = .missing, name: String = "a", policy: FutureImage.CachePolicy = .automatic) async -> FutureImage {
    let future = shop.future(name, policy: policy)
    future.wait(.full) { _ in }
    await shop.held.waitForHeld()
    answer.give(by: shop.held)
    await shop.loader.settled()
    #expect(future.failure != nil)
    return future
  }

  // MARK: Asking again

  @Test(arguments: Answer.allCases)
  func `a value that is asked for within the memory fails without a request, and later it comes`(answer: Answer) async throws {
    let future = await failed(answer)
    shop.clock.advance(by: memory - .seconds(1))
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(shop.held.requests.count == 1)
    shop.clock.advance(by: .seconds(1))
    async let value = future.value
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg())
    _ = try await value
    await shop.loader.settled()
    #expect(future.failure == nil)
  }

  @MainActor @Test(arguments: Answer.allCases)
  func `a view bound within the memory causes no request, and one bound later shows the picture`(answer: Answer) async {
    let future = await failed(answer)
    let (first, second) = (imageView(64), imageView(64))
    first.futureImage = future
    await shop.loader.settled()
    #expect(shop.held.requests.count == 1)
    shop.clock.advance(by: memory)
    second.futureImage = future
    await shop.serve()
    #expect(second.image?.cgImage != nil)
    #expect(first.image?.cgImage != nil)
    #expect(shop.held.requests.count == 2)
  }

  @Test func `a prefetch asks again once the memory is over`() async {
    let future = await failed()
    let early = [future].prefetch()
    await shop.loader.settled()
    #expect(shop.held.requests.count == 1)
    shop.clock.advance(by: memory)
    let late = [future].prefetch()
    await shop.serve()
    #expect(future.failure == nil)
    withExtendedLifetime((early, late)) {}
  }

  @Test func `a failure that answers a newer future is no younger for that`() async throws {
    let old = await failed()
    shop.clock.advance(by: memory - .seconds(1))
    let new = shop.future()
    await shop.loader.settled()
    #expect(new.failure?.reason == .status(404))
    shop.clock.advance(by: .seconds(1))
    async let value = new.value
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg())
    _ = try await value
    withExtendedLifetime(old) {}
  }

  @MainActor @Test func `a reload that fails for good is remembered as well`() async {
    let future = await failed()
    shop.clock.advance(by: memory)
    future.reload()
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 410))
    await shop.loader.settled()
    let view = imageView(64)
    view.futureImage = future
    let other = shop.future()
    await shop.loader.settled()
    #expect(shop.held.requests.count == 2)
    #expect(future.failure?.reason == .status(410))
    #expect(other.failure?.reason == .status(410))
  }

  @Test func `a transform that failed is tried again once the memory is over`() async throws {
    let calls = Lock(0)
    let failing = FutureImage.Transform.custom("fails once") { pixels in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      guard !isFirst else { throw FutureImage.Failure(.refused("not now")) }
      return pixels
    }
    let future = FutureImage(.url(Shop.url()), transform: failing, loader: shop.loader)
    future.wait(.full) { _ in }
    await shop.serve()
    #expect(future.failure != nil)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(calls.withLock { $0 } == 1)
    shop.clock.advance(by: memory)
    _ = try await future.value
    #expect(shop.held.requests.count == 1)
  }

  // MARK: Another's success

  @MainActor @Test(arguments: Answer.allCases)
  func `the picture that comes for a new future of the key comes for those that failed`(answer: Answer) async throws {
    let view = imageView(64)
    let (failed, unseen) = (await failed(answer), shop.future())
    view.futureImage = failed
    await shop.loader.settled()
    shop.clock.advance(by: memory)
    let new = shop.future()
    await shop.serve()
    #expect(view.image?.cgImage != nil)
    #expect(failed.failure == nil)
    #expect(unseen.phase.name == "fetched")
    _ = try await unseen.value
    #expect(shop.held.requests.count == 2)
    withExtendedLifetime(new) {}
  }

  @MainActor @Test func `a picture that another's disk tier has comes for those that failed, whatever the failure`() async {
    let view = imageView(64)
    let failed = shop.future()
    view.futureImage = failed
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404))
    await shop.loader.settled()
    let other = shop.future(policy: .tiers(disk: HeldTier(Picture.jpeg())))
    await shop.loader.settled()
    #expect(view.image?.cgImage != nil)
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test func `a reload that finds the picture unchanged brings it to those that failed meanwhile`() async {
    let tier = HeldTier(Picture.jpeg())
    let other = shop.future(policy: .tiers(disk: tier))
    await shop.loader.settled()
    let failed = await failed()
    #expect(other.failure == nil)
    other.reload()
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.settled()
    #expect(shop.loader.statistics.bytesReceived > 0)
    #expect(failed.failure == nil)
    #expect(failed.state.withLock { $0.revision } == 0)
  }

  @Test func `what was cancelled stays so, and asks when it is asked`() async throws {
    let cancelled = shop.future()
    await shop.held.waitForHeld()
    cancelled.cancel()
    await shop.loader.settled()
    let other = shop.future()
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.settled()
    #expect(cancelled.failure?.reason == .cancelled)
    _ = try await cancelled.value
    #expect(shop.held.requests.count == 2)
    withExtendedLifetime(other) {}
  }

  // MARK: retryFailed()

  @MainActor @Test(arguments: Answer.allCases)
  func `retryFailed asks again at once, and views show what comes`(answer: Answer) async {
    let (view, future, other) = (imageView(64), await failed(answer), shop.future())
    view.futureImage = future
    await shop.loader.settled()
    #expect(shop.held.requests.count == 1)
    shop.loader.retryFailed()
    await shop.serve()
    #expect(view.image?.cgImage != nil)
    #expect((future.failure, other.failure) == (nil, nil))
    #expect(shop.held.requests.count == 2)
  }

  @MainActor @Test func `retryFailed brings back pixels that went, and whose bytes failed to come again`() async {
    let shop = Shop { $0.retry = .never }
    let view = imageView(64)
    let future = shop.future(policy: .tiers(disk: HeldTier()))
    await shop.serve()
    let tier = future.descriptor?.disk as? HeldTier
    tier?.setBroken(true)
    view.futureImage = future
    await shop.held.waitForHeld()
    shop.held.fail(nil, .transport(.offline))
    await shop.loader.settled()
    #expect(future.failure?.reason == .transport(.offline))
    shop.loader.retryFailed()
    await shop.serve()
    #expect(view.image?.cgImage != nil)
    #expect(future.failure == nil)
  }
}
