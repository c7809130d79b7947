import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("A transfer is canceled when nothing needs its image anymore", .tags(.threads), .timeLimit(.minutes(5))) struct LifetimeTests {
  struct Item: Decodable, Sendable {
    @FutureImage.FromURL var photo: FutureImage
  }

  final class Album: @unchecked Sendable {
    // Sendable, because only one test uses each album.
    var items: [Item] = []
  }

  let fixture = LoaderFixture()

  func item() throws -> Item {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(Item.self, from: Data(#"{"photo": "https://shop.test/a.jpg"}"#.utf8))
  }

  @Test func `a transfer is canceled when the last copy of the struct that contains its future is released`() async throws {
    var (one, other): (Item?, Item?) = (try item(), nil)
    other = one
    _ = one?.photo
    await fixture.held.waitForRequests()
    one = nil
    #expect(fixture.held.cancelledCount == 0 && other != nil)
    other = nil
    await fixture.held.waitForCancellations()
  }

  @Test func `a transfer is canceled when the array that contains its model is released`() async throws {
    var items = [try item()]
    _ = items[0].photo
    await fixture.held.waitForRequests()
    items = []
    await fixture.held.waitForCancellations()
  }

  @Test func `a transfer is canceled when the object that owns its model is released`() async throws {
    var album: Album? = Album()
    album?.items = [try item()]
    _ = album?.items[0].photo
    await fixture.held.waitForRequests()
    album = nil
    await fixture.held.waitForCancellations()
  }

  @MainActor @Test func `if a future is owned only by a view, the transfer continues until the view is released`() async throws {
    var view: UIImageView? = imageView(64)
    do {
      let item = try item()
      view?.futureImage = item.photo
    }
    await fixture.held.waitForRequests()
    #expect(fixture.held.cancelledCount == 0)
    view = nil
    await fixture.held.waitForCancellations()
  }

  @Test func `a transfer is canceled when the only task that waits for it is canceled`() async throws {
    let waiting = Task { try await item().photo.value }
    await fixture.held.waitForRequests()
    waiting.cancel()
    _ = await waiting.result
    await fixture.held.waitForCancellations()
  }

  @Test func `a released future leaves the loader idle`() async throws {
    do { _ = try item().photo }
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.failures == 0)
  }
}
