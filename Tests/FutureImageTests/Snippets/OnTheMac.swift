#if canImport(AppKit) && !canImport(UIKit)
import FutureImage

@MainActor enum OnTheMacSnippets {
  struct Item {
    let photo: FutureImage
    let closeUp: FutureImage
  }

  static func bind(_ item: Item, _ imageView: NSImageView, _ button: NSButton, _ placeholder: BaseImage) {
    imageView.futureImage = item.photo

    button.imagePosition = .imageOnly
    button.imageScaling = .scaleProportionallyUpOrDown
    button.display(item.photo)
    button.displayAlternate(item.closeUp)
    imageView.display(
      item.photo,
      .init(
        transition: .fade(), placeholder: placeholder,
        contentModes: (image: .scaleProportionallyUpOrDown, placeholder: .scaleNone, failure: .scaleNone), indicator: .activity,
        retriesOnTap: true))
  }

  static func show(_ item: Item, in menuItem: NSMenuItem) {
    FutureImage.Slot(\NSMenuItem.image, pixelFitting: { _ in .fit(width: 32, height: 32) }).display(item.photo, in: menuItem)
  }

  final class PhotoView: NSView {
    private var subscription: FutureImage.Subscription?

    func show(_ photo: FutureImage) {
      wantsLayer = true
      layerContentsRedrawPolicy = .never
      layer?.contentsGravity = .resizeAspectFill
      layer?.masksToBounds = true
      subscription = FutureImage.Subscription(of: photo) { [weak self] in self?.layer?.contents = $0.image?.uprightBitmap }
      measure()
      layer?.contents = subscription?.image?.uprightBitmap
    }

    override func layout() {
      super.layout()
      measure()
    }

    override func viewDidChangeBackingProperties() {
      super.viewDidChangeBackingProperties()
      measure()
    }

    private func measure() {
      guard let window, !bounds.isEmpty else { return }
      layer?.contentsScale = window.backingScaleFactor
      subscription?.fitting = .fill(FutureImage.PixelSize(bounds.size, scale: window.backingScaleFactor))
    }
  }

  static func icon(of item: Item) async throws -> NSImage {
    let icon = try await item.photo.nsImage(fitting: .fit(width: 256, height: 256))
    return icon
  }
}
#endif
