import Foundation

@testable import FutureImage

/// Creates images for tests.
enum SampleImage {
  /// An image of one color.
  static func image(_ width: Int = 64, _ height: Int = 48, red: UInt8 = 200, green: UInt8 = 80, blue: UInt8 = 40) -> UIImage {
    let pixel = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 255 << 24
    return made(width, height, Array(repeating: pixel.littleEndian, count: width * height))
  }

  static func jpeg(_ width: Int = 64, _ height: Int = 48, red: UInt8 = 200, green: UInt8 = 80, blue: UInt8 = 40) -> Data {
    image(width, height, red: red, green: green, blue: blue).jpegData(compressionQuality: 0.9) ?? Data()
  }

  /// An image that does not compress well, so that its body is long.
  static func noise(_ width: Int, _ height: Int) -> Data {
    var state: UInt32 = 1
    let pixels = (0..<width * height).map { _ -> UInt32 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return (state >> 8 | 0xFF00_0000).littleEndian
    }
    return made(width, height, pixels).jpegData(compressionQuality: 0.9) ?? Data()
  }

  /// Returns an image made from the red, green, blue, and alpha of each pixel, row by row from the top. The colors are not premultiplied.
  static func cgImage(_ width: Int, _ height: Int, _ rgba: [UInt8]) -> CGImage? {
    FutureImage.PixelBuffer(width: width, height: height, bytes: rgba)?.makeImage()
  }

  private static func made(_ width: Int, _ height: Int, _ rgba: [UInt32]) -> UIImage {
    cgImage(width, height, rgba.withUnsafeBytes { Array($0) }).map { UIImage(cgImage: $0) } ?? UIImage()
  }
}
