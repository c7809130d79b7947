import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The choice of the image that a view shows among the images that arrive.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ShownImageTests {
  private let fixture = LoaderFixture()

  private func show(_ image: UIImage, of future: FutureImage) async throws {
    future.adopt(image)
    await future.committed()
  }

  @Test func `if a view shows more pixels than it needs, only an image with the needed pixels replaces the shown image`() async throws {
    let (view, future) = (imageView(150), fixture.future())
    let (half, quarter, needed, same) = (
      SampleImage.decoded(0.5), SampleImage.decoded(0.25), SampleImage.decoded(0.125), SampleImage.decoded(0.125)
    )
    view.futureImage = future
    try await show(half, of: future)
    #expect(view.image === half)
    try await show(quarter, of: future)
    #expect(view.image === half)
    try await show(needed, of: future)
    #expect(view.image === needed)
    for other in [same, quarter] {
      try await show(other, of: future)
      #expect(view.image === needed)
    }
  }

  @Test func `if a view shows fewer pixels than it needs, only an image with more pixels replaces the shown image`() async throws {
    let (view, future) = (imageView(1200), fixture.future())
    let (small, same, large) = (SampleImage.decoded(0.125), SampleImage.decoded(0.125), SampleImage.decoded(0.5))
    view.futureImage = future
    try await show(small, of: future)
    let shown = view.image
    #expect(shown?.looksLike(small) == true)
    try await show(same, of: future)
    #expect(view.image === shown)
    try await show(large, of: future)
    #expect(view.image?.looksLike(large) == true)
  }

  @Test func `a view remains bound if the app sets the arrived image before the loader commits that image`() async throws {
    let (view, future, image) = (imageView(64), fixture.future(), SampleImage.image())
    view.futureImage = future
    future.adopt(image)
    view.image = image
    await future.committed()
    #expect(view.image === image)
    #expect(future.bindings.map(\.isCurrent) == [true])
  }

  @Test func `an image that arrives after the failure of its future replaces the failure image`() async throws {
    let (view, future, image) = (imageView(64), fixture.future(), SampleImage.image())
    view.display(future, .init(failureImage: SampleImage.image(30, 30)))
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 30)
    let size = FutureImage.PixelSize(width: 64, height: 48)
    future.give(Encoded(data: SampleImage.jpeg(), size: size, isFromDisk: false))
    try await show(image, of: future)
    #expect(view.image === image)
  }

  // The counts include the change that shows the placeholder.
  @Test(arguments: [(false, 2), (true, 3)])
  func `a view changes once when a failure image replaces a placeholder, and twice when a failure image replaces a preview`(
    showsPreview: Bool, changes: Int
  )
    async
  {
    let (view, future) = (WatchedView(frame: CGRect(x: 0, y: 0, width: 64, height: 48)), fixture.future())
    view.display(future, .init(failureImage: SampleImage.image(30, 30)))
    let presented = future.bindings.first?.presented
    if showsPreview { presented?.showsPreview = true }
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 30)
    #expect(view.changes == changes)
    #expect(presented?.showsPreview == false)
  }

  @Test func `the interval between previews is the shortest interval of the bound views`() throws {
    let (views, future) = ([imageView(64), imageView(32)], fixture.future())
    for (view, interval) in zip(views, [500, 200]) {
      view.display(future, .init(previewInterval: .milliseconds(interval)))
    }
    let request = try #require(future.requestNumber)
    let need = future.reader?.previewNeed(of: FutureImage.PixelSize(width: 1200, height: 900), request)
    #expect(need?.interval == .milliseconds(200))
  }

  @Test func `the bindings of views that no longer show the future do not accumulate`() async {
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg())
    for _ in 0..<100 {
      let view = imageView(64)
      view.futureImage = future
      view.image = nil
    }
    #expect(future.bindings.count < 5)
  }

  @Test func `each view that finds its pixels in the pool counts as one pool hit`() async {
    let (first, second, future) = (imageView(64), imageView(64), fixture.future())
    first.futureImage = future
    await fixture.serve("a", SampleImage.jpeg())
    let hits = fixture.loader.statistics.poolHits
    second.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(second.image === first.image)
    #expect(fixture.loader.statistics.poolHits == hits + 1)
  }
}
