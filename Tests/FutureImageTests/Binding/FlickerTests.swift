import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("“The list flickers when the feed is loaded again”", .tags(.threads), .timeLimit(.minutes(5))) struct FlickerTests {
  let shop = Shop(disk: .temporary())

  @Test func `a feed decoded again shows its images at once, without a placeholder, a request, or a decode`() async {
    let views = [imageView(150), imageView(150)]
    let old = ["a", "b"].map { shop.future($0) }
    for (view, future) in zip(views, old) { view.futureImage = future }
    await shop.held.waitForRequests(2)
    shop.held.resolve(with: Picture.jpeg(1200, 900))
    await shop.loader.waitUntilSettled()
    let shown = views.map(\.image)
    let decodes = shop.loader.statistics.decodes
    let new = ["a", "b"].map { shop.future($0) }
    for (view, future) in zip(views, new) { view.futureImage = future }
    #expect(zip(views, shown).allSatisfy { $0.image === $1 })
    await shop.loader.waitUntilSettled()
    #expect(shop.held.requests.count == 2)
    #expect(shop.loader.statistics.decodes == decodes)
  }

  @Test func `a feed decoded again while its images are loading joins their transfers`() async {
    let view = imageView(150)
    let old = shop.future()
    view.futureImage = old
    await shop.held.waitForRequests()
    let new = shop.future()
    view.futureImage = new
    await shop.serve()
    #expect(view.image?.cgImage?.width == 150)
    #expect(shop.held.requests.count == 1)
    withExtendedLifetime(old) {}
  }

  @Test func `evicted pixels are found again as long as a view shows them`() async {
    let shop = Shop(disk: .temporary(), maxPixelBytes: 1_000)
    let view = imageView(150)
    view.futureImage = shop.future()
    await shop.serve()
    #expect(shop.loader.pixelBytes == 0)
    let again = imageView(150)
    again.futureImage = shop.future()
    #expect(again.image === view.image)
  }

  @Test func `binding the same future again changes nothing`() async {
    let view = imageView(150)
    let future = shop.future()
    view.futureImage = future
    await shop.serve()
    let before = view.image
    view.futureImage = future
    #expect(view.image === before)
  }
}
