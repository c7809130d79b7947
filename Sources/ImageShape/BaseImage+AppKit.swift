#if canImport(AppKit) && !canImport(UIKit)
import AppKit

extension BaseImage {
  /// A new `NSImage` with the upright pixels and the size in points of this image. It is a template if the rendering mode of this image is
  /// `.alwaysTemplate`. For an animated image, it has the first frame. You may use and change the `NSImage` on any thread, one thread at a
  /// time.
  public var nsImage: NSImage {
    let image = NSImage(size: size)
    addPixels(to: image)
    return image
  }

  /// Adds this image's upright pixels to an image of AppKit, as a representation with a size in points. Makes the image of AppKit a
  /// template if this image is one.
  package func addPixels(to image: NSImage) {
    image.isTemplate = renderingMode == .alwaysTemplate
    // AppKit's bitmaps have no orientation, so the pixels are rotated first.
    guard let upright = uprightBitmap else { return }
    let representation = NSBitmapImageRep(cgImage: upright)
    representation.size = size
    image.addRepresentation(representation)
  }

  /// Creates an image from an image of AppKit, for placeholders and for images in memory. Returns nil for an image without pixels. A
  /// template becomes a symbol with the rendering mode `.alwaysTemplate`. As a placeholder, such a symbol is drawn at its own size.
  ///
  /// - Parameter scale: the number of pixels per point, for which a representation of the image is chosen.
  public convenience init?(_ image: NSImage, scale: CGFloat = 2) {
    var box = CGRect(origin: .zero, size: CGSize(width: image.size.width * scale, height: image.size.height * scale))
    // The box is used only during the call.
    guard box.width > 0, box.height > 0, let bitmap = image.cgImage(forProposedRect: &box, context: nil, hints: nil) else { return nil }
    self.init(cgImage: bitmap, scale: CGFloat(bitmap.width) / image.size.width, orientation: .up)
    if image.isTemplate { becomeTemplate() }
  }

  /// The bitmap to draw, for the contents of a layer: rotated upright, and filled with the tint color if there is one. Nil for an image
  /// without pixels.
  public var uprightBitmap: CGImage? {
    guard let bitmap = content === cgImage ? upright : content else { return nil }
    return tintColor.flatMap { bitmap.filled(with: $0) } ?? bitmap
  }
}
#endif
