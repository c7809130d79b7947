#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import FutureImageTesting
import Testing

/// Futures in image views that are in a window.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ImageViewTests {
  private let stage = Stage()

  /// Row 1 of the report that `Tests/first-run` writes.
  @Test func `a view displays the image of its future after the image is loaded`() async throws {
    let view = stage.makeImageView()
    view.futureImage = try stage.future()
    await stage.serve()
    record(1, "the view displays the image", view.isDisplaying)
    #expect(view.isDisplaying)
    #expect(view.image?.size == CGSize(width: 640, height: 480))
  }

  /// Row 2 of the report that `Tests/first-run` writes.
  @Test func `a view has the known size of its future as its intrinsic size before the image is loaded`() throws {
    let view = stage.makeImageView()
    view.futureImage = try stage.future(size: CGSize(width: 320, height: 240))
    record(2, "intrinsic size before the image is loaded", view.intrinsicContentSize)
    #expect(view.intrinsicContentSize == CGSize(width: 320, height: 240))
  }

  /// Row 3 of the report that `Tests/first-run` writes.
  @Test func `a view displays another frame of an animation after the player's time is set`() async throws {
    let view = stage.makeImageView()
    let future = try stage.future()
    view.futureImage = future
    await stage.serve(try Fixture.data("gif/animated-transparent.gif"))
    let player = try #require(future.player)
    player.isPaused = true
    player.time = 0
    let first = view.image
    player.time = player.duration * 0.75
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(view.image !== first && view.isDisplaying)
    record(3, "player.frameCount", player.frameCount)
  }

  /// Row 25 of the report that `Tests/first-run` writes.
  @Test func `a highlighted view displays its highlighted image when the image arrives`() async throws {
    let view = stage.makeImageView()
    view.contentMode = .scaleToFill
    view.image = Pixels.image(red: 0, green: 0, blue: 250)
    view.isHighlighted = true
    FutureImage.Slot.highlightedImage.display(try stage.future(), in: view)
    await stage.serve()
    record(25, "first pixel of a highlighted view", try view.firstDrawnPixel())
    #expect(view.isHighlighted)
    #expect(Pixels.isPhoto(try view.firstDrawnPixel()))
  }

  /// Row 26 of the report that `Tests/first-run` writes.
  @Test func `animating a view whose animation images are futures without pixels does not end the process`() throws {
    let view = stage.makeImageView()
    view.animationImages = [try stage.future("a"), try stage.future("b")]
    view.startAnimating()
    record(26, "isAnimating", view.isAnimating)
    #expect(view.isAnimating)
  }

  /// Row 7 of the report that `Tests/first-run` writes.
  @Test func `setting a future's placeholder as the view's image ends the binding`() throws {
    let view = stage.makeImageView()
    let placeholder = Pixels.image(blue: 200)
    let future = try stage.future(placeholder: placeholder)
    view.futureImage = future
    #expect(view.futureImage === future)
    view.image = placeholder
    record(7, "the binding has ended", view.futureImage == nil)
    #expect(view.futureImage == nil)
    #expect(view.image === placeholder)
  }

  /// Row 8 of the report that `Tests/first-run` writes.
  @Test func `the whole image replaces the preview`() async throws {
    let view = stage.makeImageView(2_000)
    let future = try stage.future()
    let data = try Fixture.data("beginnings/progressive.jpg")
    view.display(future, .init(previewInterval: .milliseconds(200)))
    try await stage.fetcher.waitForHeld()
    stage.fetcher.begin(with: data.prefix(data.count / 2), of: data.count)
    try await eventually("the view shows a preview") { view.image !== future }
    let preview = view.image
    stage.fetcher.finish(with: data.dropFirst(data.count / 2))
    try await stage.loader.waitUntilIdle(within: .standard)
    let whole = try await future.value
    record(8, "the view shows the whole image", view.image === whole)
    #expect(view.image !== preview)
    #expect(view.image === whole)
    #expect(view.isDisplaying)
  }
}
#endif
