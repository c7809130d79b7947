import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images that their source has deleted since they were fetched: it answers a revalidation or a reload with 404 or 410.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DeletedImageTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()
  private static let headers = ["etag": "\"1\"", "cache-control": "max-age=60"]

  private func shop() -> Shop {
    Shop(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  private func delete(_ shop: Shop, status: Int = 404) async {
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: status))
    await shop.loader.waitUntilSettled()
  }

  /// Returns a view that shows the image, which is stale by now, before its revalidation is answered.
  private func staleView(_ shop: Shop, policy: FutureImage.CachePolicy = .automatic) async -> (UIImageView, FutureImage) {
    let (view, future) = (imageView(640), shop.future(policy: policy))
    view.futureImage = future
    await shop.serve("a", Picture.jpeg(640, 480, red: 200), headers: Self.headers)
    time.advance(seconds: 61)
    return (view, future)
  }

  @Test(arguments: [404, 410])
  func `a view keeps a deleted image until it is bound again, and no new future shows it`(status: Int) async throws {
    let shop = shop()
    let (view, future) = await staleView(shop)
    let shown = view.image
    let second = shop.future()
    await delete(shop, status: status)
    #expect(view.image === shown && shown?.cgImage != nil)
    #expect(future.failure?.reason == .status(status) && second.failure?.reason == .status(status))
    #expect(future.image == nil)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    let (other, third) = (imageView(640), shop.future())
    other.futureImage = third
    view.futureImage = future
    await shop.loader.waitUntilSettled()
    #expect(other.image === third && view.image === future)
    #expect(shop.held.requests.count == 2)
  }

  @Test func `a deleted image does not return at the next start`() async throws {
    let first = shop()
    let (view, _) = await staleView(first)
    withExtendedLifetime(view) {}
    let second = shop()
    let future = second.future()
    #expect(try await future.value.size.width == 640)
    await delete(second)
    let third = shop()
    let later = third.future()
    await third.held.waitForHeld()
    #expect(later.image == nil && third.held.requests.last?.headers["If-None-Match"] == nil)
    withExtendedLifetime(future) {}
  }

  @Test func `a reload that finds the image deleted says so and removes it, and the view keeps it`() async throws {
    let shop = shop()
    let (view, future) = await staleView(shop)
    async let failures = [future].reload()
    await delete(shop)
    #expect(await failures.map { $0?.reason } == [.status(404)])
    #expect(view.image?.cgImage != nil)
    #expect(try await disk.entry(forKey: future.key) == nil)
  }

  @Test func `a view shows its failure image for a deleted image only when it is bound again`() async {
    let shop = shop()
    let (view, future) = await staleView(shop)
    let broken = Picture.image(10, 10)
    view.display(future, .init(failureImage: broken))
    #expect(view.image?.size.width == 640)
    let second = shop.future()
    await delete(shop)
    #expect(view.image?.size.width == 640)
    view.display(future, .init(failureImage: broken))
    await shop.loader.waitUntilSettled()
    #expect(view.image?.size.width == 10)
    withExtendedLifetime(second) {}
  }

  @Test func `an image that its source has again appears when it is requested later`() async throws {
    let shop = Shop(disk: disk) { [time] configuration in
      configuration.retry = .init(attempts: 1, failureMemory: .zero)
      configuration.now = { time.now }
    }
    let (view, future) = await staleView(shop)
    let second = shop.future()
    await delete(shop)
    view.futureImage = future
    await shop.serve("a", Picture.jpeg(320, 240))
    #expect(view.image?.size.width == 320)
    #expect(try await second.value.size.width == 320)
  }

  @Test func `a policy can retain images that their source has deleted`() async throws {
    let shop = shop()
    let (view, future) = await staleView(shop, policy: .automatic.retainingDeleted)
    let second = shop.future(policy: .automatic.retainingDeleted)
    await delete(shop)
    #expect(view.image?.cgImage != nil && future.failure == nil)
    #expect(try await second.value.size.width == 640)
  }

  @Test(arguments: [403, 500, 503])
  func `a server in trouble deletes nothing`(status: Int) async throws {
    let shop = shop()
    let (_, future) = await staleView(shop)
    let second = shop.future()
    await delete(shop, status: status)
    #expect(future.failure == nil)
    #expect(try await second.value.size.width == 640)
  }
}
