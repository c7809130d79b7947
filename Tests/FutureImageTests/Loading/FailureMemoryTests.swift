import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Failures that are permanent for a request but temporary for a future, such as the page of a captive portal.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FailureMemoryTests {
  enum Answer: Sendable, CaseIterable {
    case portal, missing, broken

    func send(by held: HeldFetcher) {
      switch self {
      case .portal: held.resolve(with: Data("<html>Please accept our terms.</html>".utf8), headers: ["content-type": "text/html"])
      case .missing: held.answer(nil, FutureImage.Response(status: 404))
      case .broken: held.resolve(with: SampleImage.noise(64, 48).prefix(2000))
      }
    }
  }

  let fixture = LoaderFixture()
  private let memory = FutureImage.RetryPolicy().failureMemory

  /// Returns a future that has a waiter and has failed.
  private func failed(_ answer: Answer = .missing, name: String = "a", policy: FutureImage.CachePolicy = .automatic) async -> FutureImage {
    let future = fixture.future(name, policy: policy)
    future.wait(.full) { _ in }
    await fixture.held.waitForHeld()
    answer.send(by: fixture.held)
    await fixture.loader.waitForIdle()
    #expect(future.failure != nil)
    return future
  }

  // MARK: Repeated requests

  @Test(arguments: Answer.allCases)
  func `a value fails without a request while a failure is remembered, and loads when the failure is forgotten`(answer: Answer)
    async throws
  {
    let future = await failed(answer)
    fixture.clock.advance(by: memory - .seconds(1))
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(fixture.held.requests.count == 1)
    fixture.clock.advance(by: .seconds(1))
    async let value = future.value
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await value
    await fixture.loader.waitForIdle()
    #expect(future.failure == nil)
  }

  @MainActor @Test(arguments: Answer.allCases)
  func `binding a view causes a request only after the remembered failure is forgotten`(answer: Answer) async {
    let future = await failed(answer)
    let (first, second) = (imageView(64), imageView(64))
    first.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    fixture.clock.advance(by: memory)
    second.futureImage = future
    await fixture.serve()
    #expect(second.image?.cgImage != nil)
    #expect(first.image?.cgImage != nil)
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a prefetch makes a new request after the failure is forgotten`() async {
    let future = await failed()
    let early = [future].prefetch(\.self)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    fixture.clock.advance(by: memory)
    let late = [future].prefetch(\.self)
    await fixture.serve()
    #expect(future.failure == nil)
    withExtendedLifetime((early, late)) {}
  }

  @Test func `if a remembered failure answers a new future, the loader does not remember the failure for a longer time`() async throws {
    let old = await failed()
    fixture.clock.advance(by: memory - .seconds(1))
    let new = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(new.failure?.reason == .status(404))
    fixture.clock.advance(by: .seconds(1))
    async let value = new.value
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await value
    withExtendedLifetime(old) {}
  }

  @MainActor @Test func `a permanent failure of a reload is remembered`() async {
    let future = await failed()
    fixture.clock.advance(by: memory)
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 410))
    await fixture.loader.waitForIdle()
    let view = imageView(64)
    view.futureImage = future
    let other = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 2)
    #expect(future.failure?.reason == .status(410))
    #expect(other.failure?.reason == .status(410))
  }

  @Test func `a failed transform is tried again after its failure is forgotten`() async throws {
    let calls = Lock(0)
    let failing = FutureImage.Transform.custom("fails once") { pixels in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      guard !isFirst else { throw FutureImage.Failure(.refused("not now")) }
      return pixels
    }
    let future = FutureImage(.url(LoaderFixture.url()), transform: failing, loader: fixture.loader)
    future.wait(.full) { _ in }
    await fixture.serve()
    #expect(future.failure != nil)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(calls.withLock { $0 } == 1)
    fixture.clock.advance(by: memory)
    _ = try await future.value
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Success of another future

  @MainActor @Test(arguments: Answer.allCases)
  func `an image that is fetched for a new future is also delivered to failed futures of the same key`(answer: Answer) async throws {
    let view = imageView(64)
    let (failed, unseen) = (await failed(answer), fixture.future())
    view.futureImage = failed
    await fixture.loader.waitForIdle()
    fixture.clock.advance(by: memory)
    let new = fixture.future()
    await fixture.serve()
    #expect(view.image?.cgImage != nil)
    #expect(failed.failure == nil)
    #expect(unseen.phase.name == "fetched")
    _ = try await unseen.value
    #expect(fixture.held.requests.count == 2)
    withExtendedLifetime(new) {}
  }

  @MainActor @Test func `an image from another future's disk tier is delivered to futures that failed permanently`() async {
    let view = imageView(64)
    let failed = fixture.future()
    view.futureImage = failed
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let other = fixture.future(policy: .tiers(disk: HeldTier(SampleImage.jpeg())))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage != nil)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test func `a reload that gets an unchanged image also delivers the image to futures that failed before`() async {
    let tier = HeldTier(SampleImage.jpeg())
    let other = fixture.future(policy: .tiers(disk: tier))
    await fixture.loader.waitForIdle()
    let failed = await failed()
    #expect(other.failure == nil)
    other.reload()
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.bytesReceived > 0)
    #expect(failed.failure == nil)
    #expect(failed.generation == 0)
  }

  @Test func `a canceled future stays canceled until its value is requested`() async throws {
    let cancelled = fixture.future()
    await fixture.held.waitForHeld()
    cancelled.cancel()
    await fixture.loader.waitForIdle()
    let other = fixture.future()
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(cancelled.failure?.reason == .cancelled)
    _ = try await cancelled.value
    #expect(fixture.held.requests.count == 2)
    withExtendedLifetime(other) {}
  }

  // MARK: retryFailed()

  @MainActor @Test(arguments: Answer.allCases)
  func `retryFailed makes a new request at once, and views show the image`(answer: Answer) async {
    let (view, future, other) = (imageView(64), await failed(answer), fixture.future())
    view.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    fixture.loader.retryFailed()
    await fixture.serve()
    #expect(view.image?.cgImage != nil)
    #expect((future.failure, other.failure) == (nil, nil))
    #expect(fixture.held.requests.count == 2)
  }

  @MainActor @Test func `after a tier could not be read and the fetch of the image has failed, retryFailed loads the image`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let view = imageView(64)
    let future = fixture.future(policy: .tiers(disk: HeldTier()))
    await fixture.serve()
    let tier = future.descriptor?.disk as? HeldTier
    tier?.setBroken(true)
    view.futureImage = future
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .transport(.offline))
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .transport(.offline))
    fixture.loader.retryFailed()
    await fixture.serve()
    #expect(view.image?.cgImage != nil)
    #expect(future.failure == nil)
  }

  @Test func `a new future joins a reload after a permanent failure`() async {
    let future = await failed()
    future.reload()
    let other = fixture.future()
    #expect(other.failure == nil)
    await fixture.serve()
    #expect(future.failure == nil)
    #expect(other.phase.name == "fetched")
    #expect(fixture.held.requests.count == 2)
  }
}
