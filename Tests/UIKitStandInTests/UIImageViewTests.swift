import Foundation
import Testing
import UIKitStandIn

/// A subclass that observes its image, as UIKit permits.
private final class WatchingView: UIImageView {
  var count = 0

  override var image: UIImage? {
    didSet { count += 1 }
  }
}

@MainActor @Suite("UIImageView", .timeLimit(.minutes(5)))
struct UIImageViewTests {
  private func image(_ width: Int, _ height: Int) throws -> UIImage {
    try UIImage(cgImage: #require(CGImage.noise(width, height, opaque: true)))
  }

  @Test func `a view created from an image has the size of the image and ignores touches`() throws {
    let view = try UIImageView(image: image(3, 2))
    #expect(view.bounds == CGRect(x: 0, y: 0, width: 3, height: 2) && !view.isUserInteractionEnabled)
    view.isUserInteractionEnabled = true
    #expect(view.isUserInteractionEnabled)
    #expect(UIImageView(image: nil).bounds == .zero && UIView().isUserInteractionEnabled)
  }

  @Test func `setting another image does not resize the view`() throws {
    let view = try UIImageView(image: image(3, 2))
    view.image = try image(9, 9)
    #expect(view.bounds.size == CGSize(width: 3, height: 2))
  }

  @Test func `a view retains its image and returns the same object`() throws {
    let view = WatchingView()
    weak var held: UIImage?
    do {
      let image = Subclass(note: "held")
      held = image
      view.image = image
    }
    #expect(held != nil && view.image === held && view.count == 1)
    view.image = nil
    #expect(held == nil && view.count == 2)
  }

  @Test func `the intrinsic size is the size of the image, zero for an empty image, and undefined without an image`() throws {
    let view = UIImageView()
    #expect(view.intrinsicContentSize == CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric))
    view.image = UIImage()
    #expect(view.intrinsicContentSize == .zero)
    view.image = try image(5, 4)
    #expect(view.intrinsicContentSize == CGSize(width: 5, height: 4))
  }

  @Test func `a view ignores an image that equals its current image, and still returns the current image`() throws {
    let bitmap = try #require(CGImage.noise(3, 2, opaque: true))
    let (view, first) = (UIImageView(), UIImage(cgImage: bitmap))
    view.image = first
    view.image = UIImage(cgImage: bitmap)
    #expect(view.image === first)
    view.image = try UIImage(cgImage: #require(bitmap.copy()))
    #expect(view.image === first)
    let space = try #require(bitmap.colorSpace)
    let copy = try UIImage(cgImage: #require(bitmap.copy(colorSpace: space)))
    view.image = copy
    #expect(view.image === copy)
    view.highlightedImage = first
    view.highlightedImage = UIImage(cgImage: bitmap)
    #expect(view.highlightedImage === first)
  }

  @Test func `a view draws and measures the copy that its image derives for the view's traits`() throws {
    let bitmap = try #require(CGImage.noise(3, 2, opaque: true))
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    let image = Subclass(base: UIImage(cgImage: bitmap), cgImage: bitmap)
    view.image = image
    #expect(view.image === image && view.displayedImage !== image)
    // The copy lacks the subclass's `base`, so it has another size.
    #expect(image.size == CGSize(width: 3, height: 2) && view.intrinsicContentSize == CGSize(width: 7, height: 7))
  }

  @Test func `a view draws nothing if the image has no size, or if the view scales the image and has empty bounds`() throws {
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.image = UIImage()
    #expect(view.displayedBitmap == nil)
    view.image = try image(3, 2)
    #expect(view.displayedBitmap != nil)
    view.bounds = .zero
    #expect(view.displayedBitmap == nil)
    view.contentMode = .redraw
    #expect(view.displayedBitmap == nil)
    view.contentMode = .center
    #expect(view.displayedBitmap != nil && view.displayedSize == CGSize(width: 3, height: 2))
  }

  @Test func `a view has the scale of its image, and draws nothing if the view is smaller than one pixel at that scale`() throws {
    let bitmap = try #require(CGImage.noise(30, 20, opaque: true))
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 24, height: 24))
    view.image = UIImage(cgImage: bitmap, scale: 0.0075, orientation: .up)
    #expect(view.displayedBitmap == nil && view.contentScaleFactor == 0.0075)
    view.bounds.size = CGSize(width: 100, height: 100)
    #expect(view.displayedBitmap != nil)
    view.image = UIImage(cgImage: bitmap)
    #expect(view.contentScaleFactor == 1)
  }

  @Test func `a highlighted image that is set while the view is highlighted is drawn when the view is highlighted again`() throws {
    let (view, normal, highlighted) = (UIImageView(frame: CGRect(x: 0, y: 0, width: 9, height: 9)), try image(3, 2), try image(5, 4))
    view.isHighlighted = true
    view.highlightedImage = highlighted
    // Without a normal image, the view draws the highlighted image at once, but does not adapt this image to the view's traits.
    #expect(view.displayedImage === highlighted && view.intrinsicContentSize == CGSize(width: 5, height: 4))
    view.highlightedImage = nil
    view.image = normal
    view.highlightedImage = highlighted
    #expect(view.displayedBitmap?.width == 3 && view.intrinsicContentSize == CGSize(width: 3, height: 2))
    view.isHighlighted = false
    view.isHighlighted = true
    #expect(view.displayedBitmap?.width == 5)
  }

  @Test
  func `a view preserves the configuration of a symbol, and withConfiguration replaces it`() throws {
    let symbol = try image(3, 2).symbol("40 points")
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 9, height: 9))
    view.image = symbol
    #expect(view.displayedImage?.configuration?.symbol == "40 points" && view.drawsTemplate)
    #expect(view.displayedImage?.configuration?.traitCollection?.userInterfaceStyle == .light)
    let plain = UIImage.Configuration(traitCollection: UITraitCollection(userInterfaceStyle: .dark))
    #expect(symbol.withConfiguration(plain).configuration?.symbol == nil)
    #expect(symbol.withConfiguration(plain).isSymbolImage)
  }

  @Test func `a view adapts its image again when its traits change, but not when it only enters a window`() throws {
    let bitmap = try #require(CGImage.noise(3, 2, opaque: true))
    let (window, view, image) = (UIWindow(), UIImageView(), CountingImage(cgImage: bitmap))
    view.image = image
    var before = image.count
    #expect(before == 1)
    window.addSubview(view)
    #expect(image.count == 1)
    let changes = [
      { window.traitOverrides.userInterfaceStyle = .dark },
      { view.semanticContentAttribute = .forceRightToLeft }
    ]
    for change in changes {
      change()
      #expect(image.count > before)
      before = image.count
    }
    #expect(image.last?.traitCollection?.userInterfaceStyle == .dark && image.last?.traitCollection?.layoutDirection == .rightToLeft)
  }

  @Test func `an animated image plays if it has a duration, and isAnimating is true only for animationImages`() throws {
    let frames = try [image(3, 2), image(3, 2)]
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    view.image = UIImage.animatedImage(with: frames, duration: 1)
    #expect(view.displayedFrames?.count == 2 && !view.isAnimating)
    view.animationImages = try [image(1, 1)]
    view.startAnimating()
    #expect(view.isAnimating && view.displayedFrames?.count == 1)
    #expect(view.displayedBitmap?.width == 1 && view.intrinsicContentSize == CGSize(width: 1, height: 1))
    view.stopAnimating()
    #expect(!view.isAnimating && view.displayedFrames?.count == 2)
  }
}

/// An image that counts the calls of `withConfiguration(_:)`.
private final class CountingImage: UIImage, @unchecked Sendable {
  // Sendable: the tests use these properties only on the main actor.
  var count = 0
  var last: UIImage.Configuration?

  override func withConfiguration(_ configuration: UIImage.Configuration) -> UIImage {
    count += 1
    last = configuration
    return self
  }
}

@MainActor @Suite("UIButton", .timeLimit(.minutes(5)))
struct UIButtonTests {
  @Test func `a button returns the image that was set for a state, or the normal state's image if none was set`() {
    let (button, normal, selected, back) = (UIButton(type: .custom), UIImage(), UIImage(), UIImage())
    #expect(button.image(for: .normal) == nil)
    button.setImage(normal, for: .normal)
    button.setImage(selected, for: .selected)
    button.setBackgroundImage(back, for: .normal)
    #expect(button.image(for: .normal) === normal && button.image(for: .selected) === selected)
    #expect(button.image(for: .disabled) === normal && button.image(for: [.selected, .highlighted]) === normal)
    #expect(button.backgroundImage(for: .focused) === back)
    button.isSelected = true
    #expect(button.currentImage === selected && button.state == .selected)
    button.setImage(nil, for: .selected)
    #expect(button.image(for: .selected) === normal)
  }

  @Test func `states have UIKit's raw values`() {
    let states: [UIControl.State] = [.normal, .highlighted, .disabled, .selected, .focused]
    #expect(states.map(\.rawValue) == [0, 1, 2, 4, 8])
  }

  @Test func `a button with a configuration draws the image of its state, but gets its background only from the configuration`() {
    let (button, icon, back, own) = (UIButton(configuration: .plain()), UIImage(), UIImage(), UIImage())
    button.setImage(icon, for: .normal)
    button.setBackgroundImage(back, for: .normal)
    #expect(button.backgroundImage(for: .normal) === back)
    #expect(button.displayedImage == nil && button.displayedBackgroundImage == nil)
    button.layoutIfNeeded()
    #expect(button.displayedImage != nil && button.displayedBackgroundImage == nil)
    button.configuration?.background.image = own
    button.layoutIfNeeded()
    #expect(button.displayedBackgroundImage != nil)
    button.configuration = nil
    button.layoutIfNeeded()
    #expect(button.displayedBackgroundImage != nil)
  }
}
