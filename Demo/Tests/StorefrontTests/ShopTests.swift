import Foundation
import FutureImage
import FutureImageCache
import Storefront
import Testing

@Suite struct ShopTests {
  let shop: Shop
  let items: [Item]

  init() async throws {
    shop = try Shop(photos: Shop.photos, itemCount: 200)
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.retry.firstDelay = .zero
    let loader = FutureImage.Loader(configuration)
    let feed = try await Cache(directory: nil, as: .data, fetching: loader).value(from: shop.feedURL)
    items = try Feed(json: feed, loader: loader).items
  }

  @Test func `the feed has every item, and each item has its own image`() {
    #expect(items.map(\.id) == Array(1...200))
    #expect(Set(items.compactMap(\.primaryImage.key)).count == 200)
  }

  @Test func `neighbors in a row or a column of the grid have different titles`() {
    // In a grid of 4, 5, or 6 columns, the next item of the same column is 4, 5, or 6 items away.
    for distance in [1, 4, 5, 6] {
      #expect(zip(items, items.dropFirst(distance)).allSatisfy { $0.title != $1.title })
    }
  }

  @Test func `an image that has not arrived shows the shop's placeholder`() throws {
    let placeholder = try #require(UIImage(named: "placeholder"))
    let item = try #require(items.last)
    // A future has a bitmap of its own that shares the placeholder's pixels.
    let shown = try #require(item.primaryImage.cgImage)
    #expect(UIImage(cgImage: shown).pngData() == placeholder.pngData())
  }

  @Test func `an image and its close-ups have the sizes that the feed states`() async throws {
    let item = try #require(items.first)
    let picture = try await item.primaryImage.value.cgImage
    #expect(picture?.width == item.width)
    #expect(picture?.height == item.height)
    #expect(item.details.count == 4)
    for detail in item.details {
      let view = try await detail.image.value.cgImage
      #expect(view?.width == detail.width)
      #expect(view?.height == detail.height)
    }
  }

  @Test func `the shop's animated item has 24 frames, and a close-up of the item is not animated`() async throws {
    let item = try #require(items.first { $0.id == Shop.animatedItem })
    let picture = try await item.primaryImage.animatedImage()
    #expect(picture.images?.count == 24)
    #expect(abs(picture.duration - 2.4) < 0.001)
    #expect(picture.cgImage?.width == item.width && picture.cgImage?.height == item.height)
    let closeUp = try #require(item.details.last)
    #expect(try await closeUp.image.animatedImage().images == nil)
  }

  @Test func `the detail images of an item are declared as an array of UIImage, and each element is a future`() throws {
    let item = try #require(items.first)
    let pictures: [UIImage] = item.detailImages
    #expect(pictures.count == 4)
    #expect(pictures.allSatisfy { $0 is FutureImage })
    #expect((pictures.first as? FutureImage)?.key == item.primaryImage.key)
  }

  @MainActor @Test func `an image arrives in small pieces if the shop's network is slow`() async throws {
    let url = try #require(items.first.flatMap { URL(string: $0.primaryImage.key) })
    let fast = try await pieces(of: url)
    shop.isSlow = true
    let slow = try await pieces(of: url)
    #expect(slow.bytes == fast.bytes)
    // The slow shop sends 4 KB at a time. A fetcher may deliver fewer bytes at a time. It may also deliver several pieces at once, but on
    // average not more than two.
    #expect(slow.count >= slow.bytes / (8 << 10))
    #expect(fast.count < slow.count)
  }

  private func pieces(of url: URL) async throws -> (count: Int, bytes: Int) {
    let (sizes, pieces) = AsyncStream.makeStream(of: Int.self)
    try await FutureImage.Loader.Configuration().fetcher.fetch(FutureImage.Request(url: url)) { event in
      if case .bytes(let bytes) = event { pieces.yield(bytes.count) }
    }
    pieces.finish()
    return await sizes.reduce(into: (count: 0, bytes: 0)) { total, size in
      total = (total.count + 1, total.bytes + size)
    }
  }

  @Test func `after the shop has refused an image once, the loader retries the request and gets the image`() async throws {
    let future = try item(.refusedOnce).primaryImage
    _ = try await future.value
    #expect(shop.requests(of: future.key) == 2)
  }

  @Test func `an image whose first request gets status 404 arrives after a reload`() async throws {
    let future = try item(.missingOnce).primaryImage
    await #expect(throws: FutureImage.Failure(.status(404), key: future.key)) { try await future.value }
    future.reload()
    _ = try await future.value
    #expect(shop.requests(of: future.key) == 2)
  }

  @Test(arguments: [Outcome.missing, .webPage, .cutShort])
  func `an image whose fault is final fails at the first request and after a reload`(_ outcome: Outcome) async throws {
    let future = try item(outcome).primaryImage
    #expect(outcome.isFinal)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    future.reload()
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
  }

  @Test func `a future reports about half progress while the shop holds half of the image, and then gets the image`() async throws {
    let future = try item(.heldHalfway).primaryImage
    var sawHalf = false
    watching: for await phase in future.phases() {
      switch phase {
      case .loading(let fraction?) where (0.4...0.6).contains(fraction):
        sawHalf = true
        break watching
      case .waiting, .loading: continue
      case .fetched, .ready, .failed: break watching
      }
    }
    #expect(sawHalf)
    shop.release()
    _ = try await future.value
  }

  private func item(_ outcome: Outcome) throws -> Item {
    try #require(items.first { Outcome(ofItem: $0.id) == outcome })
  }
}
