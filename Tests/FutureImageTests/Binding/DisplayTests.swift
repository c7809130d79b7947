#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The images that an image view has on screen. The view asks its image for a copy for the view's traits, and draws this copy.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct DisplayTests {
  let fixture = LoaderFixture()
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))

  private func view(_ width: CGFloat, _ height: CGFloat? = nil) -> UIImageView {
    let view = imageView(width, height)
    window.addSubview(view)
    return view
  }

  @Test(arguments: [100, 1200]) func `a loaded image is on screen, whether it is reduced or has its full size`(width: Int) async {
    let view = view(CGFloat(width))
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve()
    #expect(view.displayedBitmap != nil)
    #expect(view.displayedBitmap === view.image?.cgImage)
    #expect(view.intrinsicContentSize == CGSize(width: 1200, height: 900))
  }

  @Test func `if the app gives a future's size in points, the loaded image is on screen and has that size`() async {
    let view = view(100)
    let future = fixture.future(size: CGSize(width: 300, height: 225))
    view.futureImage = future
    await fixture.serve()
    #expect(view.displayedBitmap != nil)
    #expect(view.intrinsicContentSize == CGSize(width: 300, height: 225))
  }

  @Test func `a waiting future has its known size in a view, even without a placeholder`() {
    let view = view(100)
    let future = fixture.future(size: CGSize(width: 30, height: 20))
    view.futureImage = future
    #expect(view.intrinsicContentSize == CGSize(width: 30, height: 20))
    #expect(view.displayedBitmap == nil)
  }

  @Test func `a waiting future shows its placeholder on screen`() {
    let view = view(100)
    let future = fixture.future(placeholder: SampleImage.image(10, 8))
    view.futureImage = future
    #expect(view.displayedBitmap?.width == 10)
    #expect(view.intrinsicContentSize == CGSize(width: 10, height: 8))
  }

  @Test func `if only a smaller image is available, a view shows it until the pixels that the view needs arrive`() async {
    let (small, large) = (view(100), view(1200))
    let future = fixture.future()
    small.futureImage = future
    await fixture.serve()
    large.futureImage = future
    #expect(large.image is FutureImage)
    #expect(large.displayedBitmap?.width == small.displayedBitmap?.width)
    #expect(large.intrinsicContentSize == CGSize(width: 1200, height: 900))
    await fixture.loader.waitForIdle()
    #expect(large.displayedBitmap?.width == 1200)
  }

  @Test func `switching to dark mode leaves a loaded image on screen`() async {
    let view = view(100)
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve()
    let (shown, bitmap) = (view.image, view.displayedBitmap)
    window.traitOverrides.userInterfaceStyle = .dark
    #expect(view.image === shown && view.displayedBitmap === bitmap)
    #expect(view.intrinsicContentSize == CGSize(width: 1200, height: 900))
  }

  @Test func `a future shows the dark variant of its placeholder in dark mode`() {
    let asset = UIImageAsset()
    asset.register(SampleImage.image(10, 10), with: UITraitCollection(userInterfaceStyle: .light))
    asset.register(SampleImage.image(20, 20), with: UITraitCollection(userInterfaceStyle: .dark))
    let view = view(100)
    let future = fixture.future(placeholder: asset.image(with: UITraitCollection(userInterfaceStyle: .light)))
    view.futureImage = future
    #expect(view.displayedBitmap?.width == 10)
    window.traitOverrides.userInterfaceStyle = .dark
    #expect(view.displayedBitmap?.width == 20)
    #expect(view.image === future)
  }

  @Test func `a future shows its placeholder with the placeholder's tint and rendering mode`() {
    let placeholder = SampleImage.image(10, 10).withTintColor(.red, renderingMode: .alwaysTemplate)
    let view = view(100)
    view.futureImage = fixture.future(placeholder: placeholder)
    #expect(view.displayedImage?.renderingMode == .alwaysTemplate)
    #expect(view.displayedImage?.tintColor == .red)
  }

  @Test func `an animated placeholder plays until the image arrives`() async throws {
    let frames = [SampleImage.image(4, 4), SampleImage.image(4, 4, red: 1)]
    let view = view(100)
    let future = fixture.future(placeholder: UIImage.animatedImage(with: frames, duration: 1))
    view.futureImage = future
    #expect(view.displayedFrames?.count == 2)
    await fixture.serve()
    #expect(view.displayedFrames == nil && view.displayedBitmap != nil)
  }

  @Test func `a presentation's placeholder and failure image are on screen`() async {
    let view = view(100)
    let future = fixture.future()
    view.display(future, .init(placeholder: SampleImage.image(10, 10), failureImage: SampleImage.image(20, 20)))
    #expect(view.displayedBitmap?.width == 10)
    await fixture.held.waitForHeld()
    fixture.held.fail(LoaderFixture.url(), .status(404))
    await fixture.loader.waitForIdle()
    #expect(view.displayedBitmap?.width == 20)
  }

  @Test func `a known size also applies to a presentation's placeholder and failure image`() async {
    let known = CGSize(width: 300, height: 225)
    let view = view(100)
    let future = fixture.future(size: known)
    view.display(future, .init(placeholder: SampleImage.image(10, 10), failureImage: SampleImage.image(20, 20)))
    #expect(view.intrinsicContentSize == known)
    await fixture.held.waitForHeld()
    fixture.held.fail(LoaderFixture.url(), .status(404))
    await fixture.loader.waitForIdle()
    #expect(view.intrinsicContentSize == known && view.displayedBitmap?.width == 20)
  }

  @Test func `a transformed image is on screen`() async {
    let view = view(100)
    let future = FutureImage(.url(LoaderFixture.url()), transform: .circle, loader: fixture.loader)
    view.futureImage = future
    await fixture.serve()
    #expect(view.displayedBitmap != nil)
    #expect(view.intrinsicContentSize == CGSize(width: 900, height: 900))
  }

  @Test func `an image is decoded before it is shown, and is set in the view on the main thread`() async {
    let setters = UIImageView.settersOffMain.value
    // The view is outside of a window, so the view itself decodes nothing.
    let view = imageView(100)
    let future = fixture.future()
    view.futureImage = future
    await fixture.serve()
    #expect(view.displayedBitmap?.isDecoded == true)
    #expect(UIImageView.settersOffMain.value == setters)
  }
}
#endif
