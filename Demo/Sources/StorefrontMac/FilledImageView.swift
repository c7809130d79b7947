#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import FutureImage

/// A view that an image fills. The parts outside the view are cut off. `NSImageView` has no scaling that does this, so the image is the
/// contents of a layer.
///
/// While the view is in a window, its subscription retains the pixels that the view needs, and no more.
final class FilledImageView: NSView {
  var photo: FutureImage? {
    didSet { if photo !== oldValue { subscribe() } }
  }

  private var subscription: FutureImage.Subscription?

  override init(frame: NSRect) {
    super.init(frame: frame)
    build()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    build()
  }

  override func layout() {
    super.layout()
    measure()
  }

  override func viewDidChangeBackingProperties() {
    super.viewDidChangeBackingProperties()
    measure()
  }

  override func viewDidChangeEffectiveAppearance() {
    super.viewDidChangeEffectiveAppearance()
    subscription?.isDark = isDark
  }

  /// AppKit calls this method also when the view leaves its window. Then the subscription ends, and its pixels may be evicted.
  override func viewDidMoveToWindow() {
    super.viewDidMoveToWindow()
    subscribe()
  }

  private func build() {
    wantsLayer = true
    // AppKit must not replace the contents of the layer by a drawing of the view.
    layerContentsRedrawPolicy = .never
    layer?.contentsGravity = .resizeAspectFill
    layer?.masksToBounds = true
  }

  private func subscribe() {
    subscription = nil
    if window != nil, let photo {
      subscription = FutureImage.Subscription(of: photo, isDark: isDark) { [weak self] in self?.draw($0.image) }
    }
    measure()
    draw(subscription?.image)
  }

  /// Requests the pixels for the current size. If the view grows, the current pixels remain until more pixels are decoded.
  private func measure() {
    guard let window, !bounds.isEmpty else { return }
    layer?.contentsScale = window.backingScaleFactor
    subscription?.fitting = .fill(FutureImage.PixelSize(bounds.size, scale: window.backingScaleFactor))
  }

  private func draw(_ image: BaseImage?) { layer?.contents = image?.uprightBitmap }

  private var isDark: Bool { effectiveAppearance.bestMatch(from: [.aqua, .darkAqua]) == .darkAqua }
}
#endif
