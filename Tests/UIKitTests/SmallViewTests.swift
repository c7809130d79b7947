#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// Row 22 of the report that `Tests/first-run` writes: small views of a large photo. Of all rows of the report, read this row first. UIKit
/// rounds a view's size to whole pixels at the scale of the view's image, so a small view of a large photo may draw nothing.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SmallViewTests {
  private let stage = Stage()

  nonisolated private static let modes: [UIView.ContentMode] = [.scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw, .center, .topLeft]

  @Test(arguments: [8, 16, 24, 44] as [CGFloat])
  func `a large photo is displayed in a small view`(side: CGFloat) async throws {
    let future = try stage.future()
    let views = Self.modes.map { mode in
      let view = stage.makeImageView(side)
      view.contentMode = mode
      #if canImport(UIKit)
      view.clipsToBounds = true
      #endif
      view.futureImage = future
      return view
    }
    await stage.serve(Pixels.jpeg(4000))
    for (mode, view) in zip(Self.modes, views) {
      #expect(view.isDisplaying, "mode \(mode.rawValue)")
      let name = "\(side) points, mode \(mode.rawValue)"
      record(22, "\(name): scale of the view and of its image", "\(view.contentScaleFactor) \(view.image?.scale ?? 0)")
      #if canImport(UIKit)
      for rendering in UIView.Rendering.allCases {
        let pixel = try view.drawnPixel(CGPoint(x: 0.5, y: 0.5), by: rendering)
        record(22, "\(name): pixel in the middle by \(rendering)", pixel)
        #expect(Pixels.isPhoto(pixel), "mode \(mode.rawValue), by \(rendering)")
      }
      #endif
    }
  }
}
#endif
