#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A placeholder looks the same with and without a future, even if the size of the future is known.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PlaceholderLookTests {
  let fixture = LoaderFixture()
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))

  private func view() -> UIImageView {
    let view = imageView(100)
    window.addSubview(view)
    return view
  }

  nonisolated private static let sizes = [nil, CGSize(width: 300, height: 225)]

  /// Returns the light image of an asset that also has a dark image.
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

  @Test func `a template placeholder from an asset is drawn as a template even if its future has a known size`() {
    let view = view()
    let placeholder = asset().withRenderingMode(.alwaysTemplate)
    let future = fixture.future(placeholder: placeholder, size: CGSize(width: 300, height: 225))
    view.futureImage = future
    #expect(view.drawsTemplate && view.intrinsicContentSize == CGSize(width: 300, height: 225))
  }

  @Test func `if two futures with known sizes have the same asset as placeholder, their views share one bitmap`() {
    let (first, second, placeholder) = (view(), view(), asset())
    let size = CGSize(width: 300, height: 225)
    let futures = [fixture.future("a", placeholder: placeholder, size: size), fixture.future("b", placeholder: placeholder, size: size)]
    (first.futureImage, second.futureImage) = (futures[0], futures[1])
    #expect(first.displayedBitmap != nil && first.displayedBitmap === second.displayedBitmap)
  }

  @Test(arguments: sizes) func `a placeholder that is a symbol keeps its tint, point size, weight, scale, and palette`(size: CGSize?) {
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

  @Test(arguments: sizes) func `a placeholder keeps its tint and its rendering mode`(size: CGSize?) {
    let placeholder = SampleImage.image(10, 10).withTintColor(.red, renderingMode: .alwaysTemplate)
    let view = view()
    let future = fixture.future(placeholder: placeholder, size: size)
    view.futureImage = future
    #expect(view.displayedImage?.tintColor == .red && view.drawsTemplate)
  }

  @Test func `a placeholder without a bitmap is shown unchanged, even if the size of its future is known`() {
    final class Drawing: UIImage, @unchecked Sendable {
      // Sendable, because the class stores nothing.
      override var size: CGSize { CGSize(width: 5, height: 5) }
    }
    let (view, drawing) = (view(), Drawing())
    let future = fixture.future(placeholder: drawing, size: CGSize(width: 300, height: 225))
    view.futureImage = future
    #expect(view.displayedImage is Drawing)
  }

  @Test func `a view draws the future itself, with the known size, if the placeholder is a plain image`() {
    let view = view()
    let future = fixture.future(placeholder: SampleImage.image(10, 10), size: CGSize(width: 300, height: 225))
    view.futureImage = future
    #expect(view.displayedImage === future && view.intrinsicContentSize == CGSize(width: 300, height: 225))
    #expect(view.displayedBitmap?.width == 10)
  }
}
#endif
