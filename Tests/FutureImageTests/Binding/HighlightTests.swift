#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// In UIKit, if the highlighted image of a view changes during a highlight, the view draws the new image only at the next highlight.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct HighlightTests {
  let fixture = LoaderFixture()

  private func view() -> UIImageView {
    let view = imageView(100)
    view.image = SampleImage.image(8, 8)
    view.isHighlighted = true
    return view
  }

  @Test func `in the UIKit stand-in, a highlighted image set during a highlight appears only at the next highlight`() {
    let view = view()
    view.highlightedImage = SampleImage.image(20, 20)
    #expect(view.displayedBitmap?.width == 8)
    view.isHighlighted = false
    view.isHighlighted = true
    #expect(view.displayedBitmap?.width == 20)
  }

  @Test func `if a highlighted image arrives while the view is highlighted, the image appears on screen`() async {
    let view = view()
    let future = fixture.future(placeholder: SampleImage.image(30, 30))
    FutureImage.Slot.highlightedImage.display(future, in: view)
    #expect(view.displayedBitmap?.width == 30)
    await fixture.serve("a", SampleImage.jpeg(100, 75))
    #expect(view.displayedBitmap?.width == 100 && view.isHighlighted)
    view.isHighlighted = false
    #expect(view.displayedBitmap?.width == 8)
  }

  @Test func `a highlighted image that arrives does not highlight its view`() async {
    let view = view()
    view.isHighlighted = false
    let future = fixture.future()
    FutureImage.Slot.highlightedImage.display(future, in: view)
    await fixture.serve()
    #expect(!view.isHighlighted && view.displayedBitmap?.width == 8)
  }
}
#endif
