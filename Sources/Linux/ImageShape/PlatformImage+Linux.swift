#if !canImport(CoreGraphics)
@_exported import LinuxCodecs
import Foundation

/// Methods that read and write pixels and files with the codecs of Linux.
extension PlatformImage {
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
  /// Another object with decoded pixels; nil if memory does not suffice for them.
  var decoded: CGImage? { withRGBA { $0.isEmpty } ? nil : colorSpace.flatMap { copy(colorSpace: $0) } }

  func reduced(toPixels size: CGSize) -> CGImage? {
    reduced(to: PixelSize(width: Int(min(size.width, 1e9)), height: Int(min(size.height, 1e9))))
  }
}
#endif
