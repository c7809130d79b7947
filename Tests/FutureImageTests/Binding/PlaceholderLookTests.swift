#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A placeholder under a future looks as it does without one, also if the future's size is known.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PlaceholderLookTests {
  let fixture = LoaderFixture()
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))

  private func view() -> UIImageView {
    let view = imageView(100)
    window.addSubview(view)
    return view
  }

  nonisolated private static let sizes = [nil, CGSize(width: 300, height: 225)]

  /// Returns the light variant of an asset with two.
  private func asset() -> UIImage {
    let asset = UIImageAsset()
    asset.register(SampleImage.image(10, 10), with: UITraitCollection(userInterfaceStyle: .light))
    asset.register(SampleImage.image(20, 20), with: UITraitCollection(userInterfaceStyle: .dark))
    return asset.image(with: UITraitCollection(userInterfaceStyle: .light))
  }

  @Test(arguments: sizes) func `a future shows the dark variant of an asset in dark mode`(size: CGSize?) {
    let view = view()
    let future = fixture.future(placeholder: asset(), size: size)
    view.futureImage = future
    #expect(view.displayedBitmap?.width == 10)
    #expect(view.intrinsicContentSize == size ?? CGSize(width: 10, height: 10))
    window.overrideUserInterfaceStyle = .dark
    #expect(view.displayedBitmap?.width == 20)
    #expect(view.intrinsicContentSize == size ?? CGSize(width: 20, height: 20))
    #expect(view.image === future)
  }

  @Test func `an asset that is a template stays one under a future of known size`() {
    let view = view()
    let placeholder = asset().withRenderingMode(.alwaysTemplate)
    let future = fixture.future(placeholder: placeholder, size: CGSize(width: 300, height: 225))
    view.futureImage = future
    #expect(view.drawsTemplate && view.intrinsicContentSize == CGSize(width: 300, height: 225))
  }

  @Test func `views that show one asset for futures of known size share its bitmap`() {
    let (first, second, placeholder) = (view(), view(), asset())
    let size = CGSize(width: 300, height: 225)
    let futures = [fixture.future("a", placeholder: placeholder, size: size), fixture.future("b", placeholder: placeholder, size: size)]
    (first.futureImage, second.futureImage) = (futures[0], futures[1])
    #expect(first.displayedBitmap != nil && first.displayedBitmap === second.displayedBitmap)
  }

  @Test(arguments: sizes) func `a symbol keeps its tint, and its point size, weight, scale, and palette`(size: CGSize?) {
    let symbol = SampleImage.image(40, 40).symbol("40 points, black, large, red and blue")
    let (plain, bound) = (view(), view())
    plain.image = symbol
    #expect(plain.displayedImage?.configuration?.symbol == "40 points, black, large, red and blue")
    let future = fixture.future(placeholder: symbol, size: size)
    bound.futureImage = future
    #expect(bound.drawsTemplate)
    #expect(bound.displayedImage?.configuration == plain.displayedImage?.configuration)
    window.overrideUserInterfaceStyle = .dark
    #expect(bound.displayedImage?.configuration?.symbol == "40 points, black, large, red and blue")
    #expect(bound.displayedImage?.configuration?.traitCollection?.userInterfaceStyle == .dark)
  }

  @Test(arguments: sizes) func `an image keeps its tint and rendering mode`(size: CGSize?) {
    let placeholder = SampleImage.image(10, 10).withTintColor(.red, renderingMode: .alwaysTemplate)
    let view = view()
    let future = fixture.future(placeholder: placeholder, size: size)
    view.futureImage = future
    #expect(view.displayedImage?.tintColor == .red && view.drawsTemplate)
  }

  @Test func `an image without a bitmap is shown as itself under a future of known size`() {
    final class Drawing: UIImage, @unchecked Sendable {
      // Sendable: it stores nothing.
      override var size: CGSize { CGSize(width: 5, height: 5) }
    }
    let (view, drawing) = (view(), Drawing())
    let future = fixture.future(placeholder: drawing, size: CGSize(width: 300, height: 225))
    view.futureImage = future
    #expect(view.displayedImage is Drawing)
  }

  @Test func `a plain placeholder has the size of its future, and no further image is made`() {
    let view = view()
    let future = fixture.future(placeholder: SampleImage.image(10, 10), size: CGSize(width: 300, height: 225))
    view.futureImage = future
    #expect(view.displayedImage === future && view.intrinsicContentSize == CGSize(width: 300, height: 225))
    #expect(view.displayedBitmap?.width == 10)
  }
}
#endif
