import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("A detail view shows the thumbnail first and then the full image", .tags(.threads), .timeLimit(.minutes(5)))
struct ThumbnailThenFullTests {
  let fixture = LoaderFixture()

  @Test func `a list and a detail view bound to one unfinished future both get the image`() async {
    // The loader makes one decode at a time. Otherwise the larger decode could end first, and both views would show the larger image.
    let fixture = LoaderFixture { $0.maxDecodes = 1 }
    let (cell, detail) = (imageView(150), imageView(1200))
    let future = fixture.future()
    cell.futureImage = future
    detail.futureImage = future
    #expect(cell.image === future && detail.image === future)
    await fixture.serve()
    #expect(cell.image?.cgImage?.width == 150)
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(cell.futureImage == nil && detail.futureImage == nil)
    #expect(fixture.loader.statistics.requests == 1)
  }

  @Test func `the detail view shows the thumbnail first, and then the full image without a second download`() async {
    let disk = FutureImage.DiskCache.temporary()
    let fixture = LoaderFixture(disk: disk)
    let (cell, detail) = (imageView(150), imageView(1200))
    let future = fixture.future()
    cell.futureImage = future
    await fixture.serve()
    detail.futureImage = future
    #expect(detail.image !== cell.image)
    #expect(detail.image?.looksLike(cell.image) == true)
    #expect(detail.image?.size == cell.image?.size)
    #expect(detail.futureImage === future)
    await fixture.loader.waitForIdle()
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(detail.image?.size == cell.image?.size)
    #expect(cell.image?.cgImage?.width == 150)
    #expect(fixture.loader.statistics.requests == 1)
    #expect(fixture.loader.statistics.decodes == 2)
  }

  @Test func `a view that is a future's only owner shows the larger image and then releases the future`() async {
    let fixture = LoaderFixture(disk: .temporary())
    let cell = imageView(150)
    cell.futureImage = fixture.future()
    await fixture.serve()
    let detail = imageView(1200)
    var future: FutureImage? = fixture.future()
    weak let weakFuture = future
    detail.futureImage = future
    future = nil
    #expect(weakFuture != nil)
    #expect(detail.image?.cgImage?.width == 150)
    await fixture.loader.waitForIdle()
    #expect(detail.image?.cgImage?.width == 1200)
    // The thread that decoded the image may retain the future a moment longer.
    await waitWhile(weakFuture != nil)
    #expect(fixture.loader.statistics.requests == 1)
  }

  @Test func `a view that has no size when it is bound is measured when the bytes arrive`() async {
    let view = imageView(0)
    view.futureImage = fixture.future()
    await fixture.held.waitForRequests()
    view.frame = CGRect(x: 0, y: 0, width: 150, height: 150)
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 150)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @Test func `a view that never has a size gets the image in the loader's fallback size, not at full size`() async {
    let view = imageView(0)
    view.futureImage = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(4096, 64))
    // The fallback size is 1024 × 1024 pixels.
    #expect(view.image?.cgImage?.width == 1024)
  }

  @Test func `a view that displays another view's image is bound to the other view's future, even while larger pixels load`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture(disk: .temporary()) { $0.decoder = decoder }
    let (cell, detail, third) = (imageView(150), imageView(1200), imageView(1200))
    let future = fixture.future()
    cell.futureImage = future
    await fixture.serve()
    // The decoder is closed, because the larger image might otherwise arrive before the third view is bound.
    decoder.close()
    detail.futureImage = future
    third.display(detail.image)
    #expect(third.futureImage === future)
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(third.image === detail.image)
  }

  @Test func `binding a list cell again after a detail view was shown causes no request, decode, or disk read`() async {
    let fixture = LoaderFixture(disk: .temporary())
    let (cell, detail) = (imageView(150), imageView(1200))
    let future = fixture.future()
    cell.futureImage = future
    await fixture.serve()
    let thumbnail = cell.image
    detail.futureImage = future
    await fixture.loader.waitForIdle()
    detail.image = nil
    cell.image = nil
    let before = fixture.loader.statistics
    cell.futureImage = future
    #expect(cell.image != nil && cell.futureImage == nil)
    await fixture.loader.waitForIdle()
    let after = fixture.loader.statistics
    #expect((after.requests, after.decodes, after.diskHits) == (before.requests, before.decodes, before.diskHits))
    withExtendedLifetime(thumbnail) {}
  }
}
