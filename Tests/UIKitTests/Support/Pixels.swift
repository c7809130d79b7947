#if canImport(UIKit) || canImport(UIKitStandIn)
@testable import FutureImage

/// Images made for a test.
enum Pixels {
  /// Returns an opaque image of one color, with a ratio of 4:3.
  static func plain(_ width: Int = 64, red: UInt8 = 200, green: UInt8 = 80, blue: UInt8 = 40) -> CGImage? {
    var buffer = FutureImage.PixelBuffer(width: width, height: width * 3 / 4)
    buffer?.withBytes { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) {
        (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2], bytes[pixel + 3]) = (red, green, blue, 255)
      }
    }
    return buffer?.makeImage()
  }

  static func image(_ width: Int = 64, red: UInt8 = 200, green: UInt8 = 80, blue: UInt8 = 40) -> UIImage {
    plain(width, red: red, green: green, blue: blue).map { UIImage(cgImage: $0) } ?? UIImage()
  }

  /// Whether a pixel is opaque, and nearly has the default color of these images.
  static func isPhoto(_ pixel: SIMD4<UInt8>) -> Bool {
    let expected = SIMD4<Int>(200, 80, 40, 255)
    return (0..<4).allSatisfy { abs(Int(pixel[$0]) - expected[$0]) <= 24 }
  }

  static func jpeg(_ width: Int = 64) -> Data { image(width).jpegData(compressionQuality: 0.9) ?? Data() }

  /// Returns the first pixel: red, green, blue, and alpha, not premultiplied.
  static func first(_ image: CGImage) -> SIMD4<UInt8>? { FutureImage.PixelBuffer(image, scale: 1)?[0, 0] }
}
#endif
