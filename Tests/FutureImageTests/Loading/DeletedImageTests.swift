import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that were deleted at their source after they had been fetched. The source answers a revalidation or a reload with 404 or 410.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DeletedImageTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()
  private static let headers = ["etag": "\"1\"", "cache-control": "max-age=60"]

  private func fixture() -> LoaderFixture {
    LoaderFixture(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  /// Answers the current request with an error status. The default is the status of a source that has deleted the image.
  private func delete(_ fixture: LoaderFixture, status: Int = 404) async {
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: status))
    await fixture.loader.waitForIdle()
  }

  /// Returns a view that shows a stale image, and the future of the image. The image has not been revalidated yet.
  private func staleView(_ fixture: LoaderFixture, policy: FutureImage.CachePolicy = .automatic) async -> (UIImageView, FutureImage) {
    let (view, future) = (imageView(640), fixture.future(policy: policy))
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 200), headers: Self.headers)
    time.advance(seconds: 61)
    return (view, future)
  }

  @Test(arguments: [404, 410])
  func `a view shows a deleted image until the view is bound again, and no new future shows the image`(status: Int) async throws {
    let fixture = fixture()
    let (view, future) = await staleView(fixture)
    let shown = view.image
    let second = fixture.future()
    await delete(fixture, status: status)
    #expect(view.image === shown && shown?.cgImage != nil)
    #expect(future.failure?.reason == .status(status) && second.failure?.reason == .status(status))
    #expect(future.image == nil)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    let (other, third) = (imageView(640), fixture.future())
    other.futureImage = third
    view.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(other.image === third && view.image === future)
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a deleted image is not shown after the next start of the app`() async throws {
    let first = fixture()
    let (view, _) = await staleView(first)
    withExtendedLifetime(view) {}
    let second = fixture()
    let future = second.future()
    #expect(try await future.value.size.width == 640)
    await delete(second)
    let third = fixture()
    let later = third.future()
    await third.held.waitForHeld()
    #expect(later.image == nil && third.held.requests.last?.headers["If-None-Match"] == nil)
    withExtendedLifetime(future) {}
  }

  @Test func `reloading a deleted image fails and removes its disk entry, but the view still shows the image`() async throws {
    let fixture = fixture()
    let (view, future) = await staleView(fixture)
    async let failures = [future].reload()
    await delete(fixture)
    #expect(await failures.map { $0?.reason } == [.status(404)])
    #expect(view.image?.cgImage != nil)
    #expect(try await disk.entry(forKey: future.key) == nil)
  }

  @Test func `after an image is deleted, its view shows the failure image only when the view is bound again`() async {
    let fixture = fixture()
    let (view, future) = await staleView(fixture)
    let broken = SampleImage.image(10, 10)
    view.display(future, .init(failureImage: broken))
    #expect(view.image?.size.width == 640)
    let second = fixture.future()
    await delete(fixture)
    #expect(view.image?.size.width == 640)
    view.display(future, .init(failureImage: broken))
    await fixture.loader.waitForIdle()
    #expect(view.image?.size.width == 10)
    withExtendedLifetime(second) {}
  }

  @Test func `if a deleted image exists at its source again, the next request shows the image`() async throws {
    let fixture = LoaderFixture(disk: disk) { [time] configuration in
      configuration.retry = .init(attempts: 1, failureMemory: .zero)
      configuration.now = { time.now }
    }
    let (view, future) = await staleView(fixture)
    let second = fixture.future()
    await delete(fixture)
    view.futureImage = future
    await fixture.serve("a", SampleImage.jpeg(320, 240))
    #expect(view.image?.size.width == 320)
    #expect(try await second.value.size.width == 320)
  }

  @Test func `a policy can retain images that their source has deleted`() async throws {
    let fixture = fixture()
    let (view, future) = await staleView(fixture, policy: .automatic.retainingDeleted)
    let second = fixture.future(policy: .automatic.retainingDeleted)
    await delete(fixture)
    #expect(view.image?.cgImage != nil && future.failure == nil)
    #expect(try await second.value.size.width == 640)
  }

  @Test(arguments: [403, 500, 503])
  func `an error response other than 404 and 410 deletes no image`(status: Int) async throws {
    let fixture = fixture()
    let (_, future) = await staleView(fixture)
    let second = fixture.future()
    await delete(fixture, status: status)
    #expect(future.failure == nil)
    #expect(try await second.value.size.width == 640)
  }
}
