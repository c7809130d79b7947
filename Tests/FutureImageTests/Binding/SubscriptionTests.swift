import Foundation
import FutureImageTesting
import Observation
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SubscriptionTests {
  private let fixture = LoaderFixture(disk: .temporary())
  private let box = FutureImage.Fitting.fit(width: 160, height: 160)
  private let large = FutureImage.Fitting.fit(width: 640, height: 640)

  /// Returns when the main thread has done its earlier work.
  private func mainTurn() async {
    await withCheckedContinuation { continuation in Scheduling.onMain { continuation.resume() } }
  }

  /// An object that records whether it is destroyed on the main thread.
  private final class Captured: Sendable {
    let isOnMain: Lock<Bool?>

    init(_ isOnMain: Lock<Bool?>) { self.isOnMain = isOnMain }

    deinit { isOnMain.withLock { $0 = MainQueue.isCurrent } }
  }

  @Test func `nothing is decoded for a subscription without a size`() async {
    let future = fixture.future()
    let subscription = FutureImage.Subscription(of: future)
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(subscription.image == nil)
    #expect(fixture.loader.statistics.decodes == 0)
    subscription.fitting = box
    await fixture.loader.waitForIdle()
    #expect(subscription.image?.cgImage?.width == 160)
    #expect(fixture.loader.statistics.decodes == 1)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a subscription whose size is set before the bytes arrive gets its pixels when the bytes arrive`() async {
    let future = fixture.future()
    var widths: [Int?] = []
    let subscription = FutureImage.Subscription(of: future, fitting: box) { widths.append($0.image?.cgImage?.width) }
    #expect(subscription.image == nil)
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(subscription.image?.cgImage?.width == 160)
    #expect(widths == [160])
  }

  @Test func `a subscription that grows retains its pixels until larger pixels arrive`() async {
    let future = fixture.future()
    let subscription = FutureImage.Subscription(of: future, fitting: box)
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    subscription.fitting = large
    #expect(subscription.image?.cgImage?.width == 160)
    await fixture.loader.waitForIdle()
    #expect(subscription.image?.cgImage?.width == 640)
    subscription.fitting = box
    await fixture.loader.waitForIdle()
    #expect(subscription.image?.cgImage?.width == 640)
    #expect(fixture.loader.statistics.decodes == 2)
  }

  @Test func `a subscription without a size gets the pixels that a view already shows, without another decode`() async {
    let future = fixture.future()
    let view = imageView(160)
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    var changes = 0
    let subscription = FutureImage.Subscription(of: future) { _ in changes += 1 }
    #expect(subscription.image === view.image)
    #expect(changes == 0)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `a future with a subscription is as urgent as a bound future`() async {
    let futures = (0..<40).map { fixture.future("\($0)") }
    let subscription = FutureImage.Subscription(of: futures[30])
    #expect(futures[30].urgency == .bound)
    #expect(futures[31].urgency == .created)
    subscription.end()
    #expect(futures[30].urgency == .created)
  }

  @Test func `another future finds the pixels that a subscription retains, even after the pool has evicted them`() async {
    let future = fixture.future()
    let subscription = FutureImage.Subscription(of: future, fitting: box)
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    fixture.loader.pool.evictAll()
    let other = fixture.future()
    let view = imageView(160)
    view.futureImage = other
    await fixture.loader.waitForIdle()
    #expect(view.image === subscription.image)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `when the app sets another image for the key of a future, the future's subscription gets that image`() async throws {
    let future = fixture.future()
    let subscription = FutureImage.Subscription(of: future, fitting: box)
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    let former = subscription.image
    try await fixture.loader.set(SampleImage.image(640, 640), forKey: future.key)
    await fixture.loader.waitForIdle()
    #expect(subscription.image !== former)
    #expect(subscription.image?.cgImage?.height == 160)
  }

  @Test func `a subscription that has ended has no image, even when the bytes arrive after its end`() async {
    let future = fixture.future()
    var changes = 0
    let subscription = FutureImage.Subscription(of: future, fitting: box) { _ in changes += 1 }
    subscription.end()
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    subscription.fitting = large
    await fixture.loader.waitForIdle()
    #expect(subscription.image == nil)
    #expect(changes == 0)
    #expect(fixture.loader.statistics.decodes == 0)
    #expect(future.bindings.isEmpty)
  }

  @Test func `ending a subscription releases its image and calls its closure`() async {
    let future = fixture.future()
    var changes = 0
    let subscription = FutureImage.Subscription(of: future, fitting: box) { _ in changes += 1 }
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(subscription.image != nil && changes == 1)
    subscription.end()
    #expect(subscription.image == nil && changes == 2)
  }

  @Test func `a subscription that gets a larger size after a transient failure requests the image again`() async {
    let (fixture, renditions) = (LoaderFixture { $0.retry = .never }, RenditionSource())
    let future = FutureImage(renditions.source(), loader: fixture.loader)
    renditions.fail(FutureImage.Failure(.status(503)))
    let subscription = FutureImage.Subscription(of: future, fitting: box)
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.count == 1 && subscription.image == nil)
    subscription.fitting = large
    await fixture.loader.waitForIdle()
    #expect(renditions.asked.count == 2 && subscription.image != nil)
  }

  @Test func `the decode of a subscription is canceled only when the last subscription that needs it ends`() async {
    let decoder = GatedDecoder()
    decoder.close()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let futures = [fixture.future("a"), fixture.future("b")]
    let subscriptions = [futures[0], futures[0], futures[1]].map { FutureImage.Subscription(of: $0, fitting: box) }
    for name in ["a", "b"] {
      await fixture.held.waitForHeld()
      fixture.held.resolve(LoaderFixture.url(name), with: SampleImage.jpeg(1280, 960))
    }
    for future in futures { await waitWhile(!future.requestsPixels) }
    subscriptions[1].end()
    subscriptions[2].end()
    #expect(futures.map { $0.withReader(\.decodes.count) } == [1, 0])
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(subscriptions[0].image?.cgImage?.width == 160)
  }

  @Test func `a subscription retains its future, and the future does not retain the subscription`() async {
    var future: FutureImage? = fixture.future()
    weak let knownFuture = future
    var subscription = future.map { FutureImage.Subscription(of: $0, fitting: box) }
    weak let knownSubscription = subscription
    future = nil
    #expect(knownFuture != nil)
    withExtendedLifetime(subscription) {}
    subscription = nil
    #expect(knownSubscription == nil)
    await mainTurn()
    #expect(knownFuture == nil)
  }

  @Test func `a subscription released on another thread frees its pixels, and its closure is destroyed on the main thread`() async {
    let future = fixture.future()
    let isDestroyedOnMain = Lock<Bool?>(nil)
    func subscription() -> Lock<FutureImage.Subscription?> {
      let captured = Captured(isDestroyedOnMain)
      return Lock(FutureImage.Subscription(of: future, fitting: box) { _ in withExtendedLifetime(captured) {} })
    }
    let held = subscription()
    #expect(future.bindings.count == 1)
    await Task.detached {
      let last = held.withLock { $0.take() }
      withExtendedLifetime(last) {}
    }.value
    await mainTurn()
    #expect(future.bindings.isEmpty)
    #expect(!future.isBound)
    #expect(isDestroyedOnMain.withLock { $0 } == true)
  }

  @Test func `an observer of a subscription's image is notified when the image arrives`() async {
    let future = fixture.future()
    let subscription = FutureImage.Subscription(of: future, fitting: box)
    let isNotified = Lock(false)
    withObservationTracking {
      #expect(subscription.image == nil)
    } onChange: {
      isNotified.withLock { $0 = true }
    }
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    #expect(isNotified.withLock { $0 })
  }

  @Test func `a subscription's image is the future itself if the future has pixels but no source`() throws {
    let inert = FutureImage(cgImage: try #require(SampleImage.image(4, 4).cgImage))
    #expect(FutureImage.Subscription(of: inert).image === inert)
    #expect(FutureImage.Subscription(of: FutureImage()).image == nil)
  }
}
