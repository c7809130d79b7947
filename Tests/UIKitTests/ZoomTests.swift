#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import FutureImageTesting
import Testing

/// Row 21 of the report that `Tests/first-run` writes: futures in views that are zoomed.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ZoomTests {
  private let stage = Stage()

  @Test func `a view that is enlarged by a transform gets more pixels when it is measured again`() async throws {
    let view = stage.makeImageView(20)
    let future = try stage.future()
    view.futureImage = future
    await stage.serve()
    let width = try #require(view.image?.cgImage?.width)
    view.transform = CGAffineTransform(scaleX: 4, y: 4)
    future.measureViews()
    try await stage.loader.waitUntilIdle(within: .standard)
    let enlarged = try #require(view.image?.cgImage?.width)
    record(21, "widths in pixels before and after the transform", "\(width) \(enlarged)")
    #expect(enlarged > width)
    #expect(view.bounds.size == CGSize(width: 20, height: 20))
  }
}
#endif
