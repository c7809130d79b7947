import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("A test controls when the images of a screen arrive", .tags(.threads), .timeLimit(.minutes(5))) struct SnapshotTests {
  @Test func `a test can show a screen in which one image is ready, one has failed, and the others are loading`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let placeholder = SampleImage.image(10, 10)
    let views = (0..<4).map { _ in imageView(64) }
    let futures = ["ready", "loading", "failed", "requested"].map { fixture.future($0, placeholder: placeholder) }
    for (view, future) in zip(views, futures) { view.futureImage = future }
    await fixture.held.waitForRequests(4)
    fixture.held.resolve(LoaderFixture.url("ready"), with: SampleImage.jpeg())
    fixture.held.fail(LoaderFixture.url("failed"))
    // A wait for the value would not suffice, because it may end before the change of the view is even scheduled.
    await waitWhile(!futures[0].phase.isFinal)
    fixture.held.begin(LoaderFixture.url("loading"), with: Data(count: 50), of: 100)
    await waitWhile(futures[1].progress.fractionCompleted == 0)
    await waitWhile(futures[2].failure == nil)
    #expect(futures.map(\.phase.name) == ["ready", "loading", "failed", "loading"])
    #expect(views[0].image?.cgImage?.width == 64)
    #expect(views[1...].allSatisfy { $0.image?.looksLike(placeholder) == true })
  }

  @Test func `waitForIdle returns at once if no image is loading, and otherwise after the image is shown`() async {
    let fixture = LoaderFixture()
    await fixture.loader.waitForIdle()
    let view = imageView(64)
    view.futureImage = fixture.future()
    await fixture.serve("a", SampleImage.jpeg())
    #expect(view.image?.cgImage?.width == 64)
  }
}
