#if !canImport(CoreGraphics)
@_exported import LinuxCodecs
import Foundation

/// Methods that read and write pixels and files with the codecs of Linux.
extension BaseImage {
  /// Returns the stored bitmap, which is decoded later, and its orientation.
  static func stored(_ data: Data) -> (CGImage, Orientation)? {
    guard let info = try? ImageCodecs.info(of: data) else { return nil }
    return (CGImage(decodingLater: data, size: info.storedSize), Orientation(exif: info.orientation.rawValue))
  }

  package var upright: CGImage? { cgImage?.turned(ExifOrientation(exif: imageOrientation.exif)) }

  static func png(_ image: CGImage) -> Data? { ImageCodecs.png(image) }

  static func jpeg(_ image: CGImage, quality: CGFloat) -> Data? { ImageCodecs.jpeg(image, quality: quality) }
}

extension CGImage {
  /// Another object with the decoded pixels; nil if memory does not suffice for them.
  var decoded: CGImage? { withRGBA { $0.isEmpty } ? nil : colorSpace.flatMap { copy(colorSpace: $0) } }

  func reduced(toPixels size: CGSize) -> CGImage? {
    reduced(to: PixelSize(width: Int(min(size.width, 1e9)), height: Int(min(size.height, 1e9))))
  }

  #if canImport(AppKit)
  /// Returns the shape of the image, filled with a color; nil if memory does not suffice.
  func filled(with color: BaseImage.Color) -> CGImage? {
    guard let color = color.usingColorSpace(.sRGB) else { return self }
    var (red, green, blue, alpha) = (CGFloat.zero, CGFloat.zero, CGFloat.zero, CGFloat.zero)
    // The pointers are used only during the call.
    color.getRed(&red, green: &green, blue: &blue, alpha: &alpha)
    var pixels = withRGBA { Array($0) }
    for start in stride(from: 0, to: pixels.count, by: 4) {
      pixels[start] = UInt8(red * 255)
      pixels[start + 1] = UInt8(green * 255)
      pixels[start + 2] = UInt8(blue * 255)
      pixels[start + 3] = UInt8(CGFloat(pixels[start + 3]) * alpha)
    }
    return CGImage(width: width, height: height, rgba: pixels)
  }
  #endif
}
#endif
