#if canImport(CoreGraphics)
import CoreGraphics
import Foundation
import ImageIO
import UniformTypeIdentifiers

/// Methods that read and write pixels and files with CoreGraphics and ImageIO, for the Mac, where this class replaces UIImage. The compiler
/// has checked them, but they have never run.
extension BaseImage {
  /// Returns the stored bitmap, which ImageIO decodes later, and its orientation.
  static func stored(_ data: Data) -> (CGImage, Orientation)? {
    guard let source = CGImageSourceCreateWithData(data as CFData, nil), let image = CGImageSourceCreateImageAtIndex(source, 0, nil) else {
      return nil
    }
    let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil) as? [CFString: Any]
    return (image, Orientation(exif: properties?[kCGImagePropertyOrientation] as? Int ?? 1))
  }

  package var upright: CGImage? {
    guard let cgImage, imageOrientation != .up else { return cgImage }
    // ImageIO rotates images when it reads them. So this code writes the image with its orientation to a file in memory, and lets ImageIO
    // read this file.
    let properties = [kCGImagePropertyOrientation: imageOrientation.exif]
    guard let data = Self.file(of: cgImage, .tiff, properties), let source = CGImageSourceCreateWithData(data as CFData, nil) else {
      return nil
    }
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true, kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceThumbnailMaxPixelSize: max(cgImage.width, cgImage.height)
    ]
    return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
  }

  static func png(_ image: CGImage) -> Data? { file(of: image, .png, [:]) }

  static func jpeg(_ image: CGImage, quality: CGFloat) -> Data? {
    file(of: image, .jpeg, [kCGImageDestinationLossyCompressionQuality: quality])
  }

  private static func file(of image: CGImage, _ type: UTType, _ properties: [CFString: Any]) -> Data? {
    let data = NSMutableData()
    guard let destination = CGImageDestinationCreateWithData(data, type.identifier as CFString, 1, nil) else { return nil }
    CGImageDestinationAddImage(destination, image, properties as CFDictionary)
    return CGImageDestinationFinalize(destination) ? data as Data : nil
  }
}

extension CGImage {
  /// A new bitmap with the decoded pixels; nil if memory does not suffice.
  var decoded: CGImage? { drawn(width, height) }

  func reduced(toPixels size: CGSize) -> CGImage? {
    drawn(max(1, min(width, Int(min(size.width, 1e9)))), max(1, min(height, Int(min(size.height, 1e9)))))
  }

  /// Returns the shape of the image, filled with a color; nil if memory does not suffice.
  func filled(with color: BaseImage.Color) -> CGImage? {
    drawn(width, height) { context in
      context.setBlendMode(.sourceIn)
      context.setFillColor(color.cgColor)
      context.fill(CGRect(x: 0, y: 0, width: width, height: height))
    }
  }

  /// - Parameter more: a closure that draws onto the copy of the image.
  private func drawn(_ width: Int, _ height: Int, _ more: (CGContext) -> Void = { _ in }) -> CGImage? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB),
      let context = CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: space,
        bitmapInfo: CGImageAlphaInfo.premultipliedFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
    else { return nil }
    context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
    more(context)
    return context.makeImage()
  }
}
#endif
