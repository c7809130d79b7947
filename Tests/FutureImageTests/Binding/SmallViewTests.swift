#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// UIKit rounds the size of an image view to whole pixels at the scale of the view's image. If a reduced image had a scale far below 1, a
/// small view would be rounded to an empty size.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SmallViewTests {
  let fixture = LoaderFixture()

  @Test(arguments: [8, 16, 24, 44] as [CGFloat])
  func `a small view draws a large photo in each content mode that scales`(side: CGFloat) async {
    for mode in [UIView.ContentMode.scaleToFill, .scaleAspectFit, .scaleAspectFill, .redraw] {
      let fixture = LoaderFixture()
      let view = imageView(side, side)
      view.contentMode = mode
      let future = fixture.future()
      view.futureImage = future
      await fixture.serve("a", SampleImage.jpeg(4000, 3000))
      #expect(view.displayedBitmap != nil, "\(mode)")
      #expect(view.contentScaleFactor >= 1)
      #expect(view.intrinsicContentSize == CGSize(width: 4000, height: 3000))
    }
  }

  @Test func `content modes that do not scale draw a photo at its full size`() async {
    let (small, centered) = (imageView(20, 20), imageView(20, 20))
    centered.contentMode = .center
    let future = fixture.future()
    small.futureImage = future
    centered.futureImage = future
    await fixture.serve()
    #expect(centered.displayedSize == CGSize(width: 1200, height: 900))
    #expect(small.displayedBitmap.map { $0.width < 100 } == true)
  }

  @Test func `a view that does not scale its content draws an image at the size that the app gives to the future`() async {
    let view = imageView(20, 20)
    view.contentMode = .center
    let future = fixture.future(size: CGSize(width: 2400, height: 1800))
    view.futureImage = future
    await fixture.serve()
    #expect(view.displayedSize == CGSize(width: 2400, height: 1800))
  }

  @Test func `the frames of a reduced animation have a scale of at least 1`() async throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let view = imageView(6, 4)
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve("a", try Data(contentsOf: tests.appendingPathComponent("Fixtures/webp/animated.webp")))
    let animated = try await future.animatedImage(fitting: .fit(width: 6, height: 4))
    #expect(view.image?.scale == 1 && animated.images?.isEmpty == false && animated.images?.allSatisfy { $0.scale >= 1 } == true)
  }
}
#endif
