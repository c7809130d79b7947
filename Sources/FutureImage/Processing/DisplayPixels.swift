import Foundation

/// Pixels in the form that Core Animation displays without converting them: blue, green, red, and alpha, one byte each, premultiplied. Each
/// row starts at a multiple of 64 bytes. Alpha is ignored if every pixel is opaque.
///
/// | straight red, green, blue, alpha | bytes |
/// | --- | --- |
/// | 255, 0, 0, 255 | 0, 0, 255, 255 |
/// | 255, 128, 0, 128 | 0, 64, 128, 128 |
/// | 200, 100, 50, 0 | 0, 0, 0, 0 |
///
/// `UIGraphicsImageRenderer` draws in this form, and CoreGraphics also aligns its own bitmaps like this, to a cache line. Core Animation
/// copies pixels in any other form on the main thread whenever they are committed. Xcode's option Color Copied Images shows such pixels.
struct DisplayPixels: Sendable {
  let bytes: Data
  let bytesPerRow: Int
  let isOpaque: Bool

  private static let alignment = 64

  init(_ buffer: FutureImage.PixelBuffer) {
    let (width, height) = (buffer.width, buffer.height)
    let bytesPerRow = (width * 4 + Self.alignment - 1) / Self.alignment * Self.alignment
    var bytes = Data(count: bytesPerRow * height)
    var alphas: UInt8 = 255
    buffer.bytes.withUnsafeBytes { source in
      bytes.withUnsafeMutableBytes { (target: UnsafeMutableRawBufferPointer) in
        for y in 0..<height {
          // Both buffers have `height` rows. The source's rows have four bytes per pixel, and the target's rows are at least as long.
          for x in 0..<width {
            let (from, to) = ((y * width + x) * 4, y * bytesPerRow + x * 4)
            let alpha = source[from + 3]
            alphas &= alpha
            target[to] = Self.premultiplied(source[from + 2], alpha)
            target[to + 1] = Self.premultiplied(source[from + 1], alpha)
            target[to + 2] = Self.premultiplied(source[from], alpha)
            target[to + 3] = alpha
          }
        }
      }
    }
    self.bytes = bytes
    self.bytesPerRow = bytesPerRow
    isOpaque = alphas == 255
  }

  /// Returns `color * alpha / 255`, rounded, without a division. The result is exact for all values of a byte.
  @inline(__always)
  private static func premultiplied(_ color: UInt8, _ alpha: UInt8) -> UInt8 {
    let product = UInt32(color) * UInt32(alpha) + 128
    return UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
  }
}
