import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("Loaded images appear at once when the feed is reloaded", .tags(.threads), .timeLimit(.minutes(5))) struct FlickerTests {
  let fixture = LoaderFixture(disk: .temporary())

  @Test func `new futures of loaded images show the images at once, without a request or a decode`() async {
    let views = [imageView(150), imageView(150)]
    let old = ["a", "b"].map { fixture.future($0) }
    for (view, future) in zip(views, old) { view.futureImage = future }
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    await fixture.loader.waitForIdle()
    let shown = views.map(\.image)
    let decodes = fixture.loader.statistics.decodes
    let new = ["a", "b"].map { fixture.future($0) }
    for (view, future) in zip(views, new) { view.futureImage = future }
    #expect(zip(views, shown).allSatisfy { $0.image === $1 })
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 2)
    #expect(fixture.loader.statistics.decodes == decodes)
  }

  @Test func `a new future of an image that is loading joins the transfer of the earlier future`() async {
    let view = imageView(150)
    let old = fixture.future()
    view.futureImage = old
    await fixture.held.waitForRequests()
    let new = fixture.future()
    view.futureImage = new
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 150)
    #expect(fixture.held.requests.count == 1)
    withExtendedLifetime(old) {}
  }

  @Test func `a new future finds evicted pixels as long as a view shows them`() async {
    let fixture = LoaderFixture(disk: .temporary(), maxPixelBytes: 1_000)
    let view = imageView(150)
    view.futureImage = fixture.future()
    await fixture.serve()
    #expect(fixture.loader.pixelBytes == 0)
    let again = imageView(150)
    again.futureImage = fixture.future()
    #expect(again.image === view.image)
  }

  @Test func `binding the same future to a view again does not change the view's image`() async {
    let view = imageView(150)
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve()
    let before = view.image
    view.futureImage = future
    #expect(view.image === before)
  }
}
