#if canImport(CoreGraphics)
import CoreGraphics
import ImageIO

/// A fault of ImageIO in iOS 17.0 to 17.2 and contemporary systems. If an indexed PNG has transparent colors, ImageIO labels its
/// premultiplied pixels as straight. Drawing such pixels, as ImageIO does for its own thumbnails, multiplies them by alpha twice, so the
/// colors become too dark ([SDWebImage #3605](https://github.com/SDWebImage/SDWebImage/issues/3605),
/// [#3609](https://github.com/SDWebImage/SDWebImage/issues/3609)).
enum IndexedPNGFault {
  /// Whether the system has the fault. One decode of a pixel of known color determines this, because reports differ about the affected
  /// versions.
  static let isPresent: Bool = {
    guard let sample = IndexedPNG.sample, let source = CGImageSourceCreateWithData(sample as CFData, nil),
      let image = CGImageSourceCreateImageAtIndex(source, 0, nil), let pixels = FutureImage.PixelBuffer(image, scale: 1)
    else { return false }
    // The correct value is 200. With the fault, it is 78, because 200 is multiplied once more by the alpha, which is 100 of 255. The limit
    // is about halfway between both values.
    return pixels[0, 0].x < 140
  }()

  /// Returns the image at a size in pixels. This method draws the pixels of the file with the correct label, because the colors of a
  /// thumbnail are already wrong. Returns nil for an image that must be rotated, because only ImageIO rotates images, and for an image that
  /// cannot be decoded or drawn.
  static func image(at index: Int, of source: CGImageSource, _ size: FutureImage.PixelSize) -> CGImage? {
    let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any]
    guard properties?[kCGImagePropertyOrientation] as? Int ?? 1 == 1 else { return nil }
    guard let image = CGImageSourceCreateImageAtIndex(source, index, nil) else { return nil }
    return (premultiplied(image) ?? image).drawn(width: size.width, height: size.height)
  }

  /// Returns the same pixels labeled premultiplied; nil for an image whose label is not straight.
  private static func premultiplied(_ image: CGImage) -> CGImage? {
    let alpha: CGImageAlphaInfo
    switch image.alphaInfo {
    case .first: alpha = .premultipliedFirst
    case .last: alpha = .premultipliedLast
    default: return nil
    }
    guard let space = image.colorSpace, let provider = image.dataProvider else { return nil }
    let others = image.bitmapInfo.rawValue & ~CGBitmapInfo.alphaInfoMask.rawValue
    return CGImage(
      width: image.width, height: image.height, bitsPerComponent: image.bitsPerComponent, bitsPerPixel: image.bitsPerPixel,
      bytesPerRow: image.bytesPerRow, space: space, bitmapInfo: CGBitmapInfo(rawValue: others | alpha.rawValue), provider: provider,
      decode: nil, shouldInterpolate: image.shouldInterpolate, intent: image.renderingIntent)
  }
}
#endif
