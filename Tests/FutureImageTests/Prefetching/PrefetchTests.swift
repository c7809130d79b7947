import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Prefetching cancels no image that is needed, and fetches no image twice", .tags(.threads), .timeLimit(.minutes(5)))
struct PrefetchTests {
  struct Item: Sendable {
    let photo: FutureImage
    var extras: [FutureImage] = []
    var badge: FutureImage?
  }

  let fixture = LoaderFixture { $0.maxTransfersPerHost = 1 }

  func items(_ names: String...) -> [Item] { names.map { Item(photo: fixture.future($0)) } }

  @Test func `prefetched images load after shown images, and before images that are neither shown nor prefetched`() async {
    let items = items("first", "b", "c", "d")
    // The first image takes the only slot of its host before the other images are prefetched or shown.
    await fixture.held.waitForRequests()
    let prefetch = items[3...].prefetch(\.photo)
    await MainActor.run { imageView(10).futureImage = items[2].photo }
    for (count, name) in [(1, "first"), (2, "c"), (3, "d"), (4, "b")] {
      await fixture.held.waitForRequests(count)
      #expect(fixture.held.requests.last?.url == LoaderFixture.url(name))
      fixture.held.resolve(with: SampleImage.jpeg())
    }
    await fixture.loader.waitForIdle()
    withExtendedLifetime(prefetch) {}
  }

  @Test func `a view joins the transfer of a prefetch`() async {
    let view = await imageView(64)
    let items = items("a")
    let prefetch = items.prefetch(\.photo)
    await MainActor.run { view.futureImage = items[0].photo }
    await fixture.serve("a", SampleImage.jpeg())
    await #expect(view.image?.cgImage?.width == 64)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(prefetch) {}
  }

  @Test func `a prefetch without a size only fetches bytes, and a prefetch with a size also decodes pixels`() async {
    let items = items("a")
    let bytes = items.prefetch(\.photo)
    await fixture.serve("a", SampleImage.jpeg(1200, 900))
    #expect(fixture.loader.statistics.decodes == 0)
    let pixels = items.prefetch(\.photo, fitting: .fit(width: 150, height: 150))
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.decodes == 1)
    let view = await imageView(150)
    await MainActor.run { view.futureImage = items[0].photo }
    await #expect(view.image?.cgImage?.width == 150)
    withExtendedLifetime((bytes, pixels)) {}
  }

  @Test func `canceling a prefetch cancels a transfer that nothing else needs`() async {
    let items = items("a")
    let prefetch = items.prefetch(\.photo)
    await fixture.held.waitForRequests()
    prefetch.cancel()
    await fixture.held.waitForCancellations()
    #expect(items[0].photo.failure?.reason == .cancelled)
  }

  @Test func `canceling a prefetch does not cancel an image that a view, a task, or another prefetch needs`() async throws {
    let fixture = LoaderFixture()
    let items = ["shown", "awaited", "twice"].map { Item(photo: fixture.future($0)) }
    await fixture.held.waitForRequests(3)
    let prefetch = items.prefetch(\.photo)
    let other = items[2...].prefetch(\.photo)
    let view = await imageView(64)
    await MainActor.run { view.futureImage = items[0].photo }
    let waiting = Task { try await items[1].photo.value }
    await waitWhile(items[1].photo.waiterCount == 0)
    prefetch.cancel()
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await waiting.value
    await fixture.loader.waitForIdle()
    #expect(fixture.held.cancelledCount == 0)
    await #expect(view.image?.cgImage?.width == 64)
    #expect(items[2].photo.failure == nil)
    withExtendedLifetime(other) {}
  }

  @Test func `releasing a prefetch cancels it`() async {
    let items = items("a")
    var prefetch: FutureImage.Prefetch? = items.prefetch(\.photo, fitting: .full)
    await fixture.held.waitForRequests()
    #expect(prefetch != nil)
    prefetch = nil
    await fixture.held.waitForCancellations()
  }

  @Test func `after the prefetch of an image is canceled, the image loads when its future is bound to a view`() async {
    let items = items("a")
    items.prefetch(\.photo).cancel()
    let view = await imageView(64)
    await MainActor.run { view.futureImage = items[0].photo }
    await fixture.serve("a", SampleImage.jpeg())
    await #expect(view.image?.cgImage?.width == 64)
  }

  @Test func `arrays, optionals, and futures themselves can be prefetched`() async {
    let fixture = LoaderFixture()
    let items = [Item(photo: fixture.future("a"), extras: [fixture.future("b"), fixture.future("c")], badge: fixture.future("d"))]
    let prefetches = [items.prefetch(\.extras), items.prefetch(\.badge), items.map(\.photo).prefetch(\.self)]
    await fixture.held.waitForRequests(4)
    for prefetch in prefetches { prefetch.cancel() }
    await fixture.held.waitForCancellations(4)
  }

  @MainActor @Test func `a prefetcher starts and cancels the prefetches of a list by row`() async {
    let items = items("a", "b")
    let prefetcher = FutureImage.Prefetcher<Int>()
    prefetcher.prefetch([0, 1]) { items[$0].photo }
    await fixture.held.waitForRequests()
    prefetcher.cancel([0])
    await fixture.held.waitForRequests(2)
    #expect(items[0].photo.failure?.reason == .cancelled)
    #expect(items[1].photo.failure == nil)
    prefetcher.cancelAll()
    await fixture.held.waitForCancellations(2)
  }

  @Test func `canceling a prefetch does not cancel an explicit reload`() async {
    let items = items("a")
    await fixture.serve("a", SampleImage.jpeg())
    let prefetch = items.prefetch(\.photo)
    items[0].photo.reload()
    await fixture.held.waitForHeld()
    prefetch.cancel()
    #expect(fixture.held.cancelledCount == 0)
    fixture.held.resolve(with: SampleImage.jpeg(30, 20))
    await fixture.loader.waitForIdle()
    #expect(items[0].photo.wholeSize?.width == 30)
  }
}
