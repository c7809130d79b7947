#if canImport(UIKit)
import CoreGraphics

extension FutureImage.PixelBuffer {
  /// Drawn into a bitmap of this form. CoreGraphics draws premultiplied only, so colours under little alpha lose precision.
  init?(_ image: CGImage, scale: CGFloat) {
    self.init(width: image.width, height: image.height, scale: scale)
    let (width, height) = (width, height)
    let isDrawn = withBytes { bytes in
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: bytes.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { return false }
      context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
      for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 && bytes[pixel + 3] != 0 {
        let alpha = Int(bytes[pixel + 3])
        for channel in pixel..<pixel + 3 { bytes[channel] = UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha)) }
      }
      return true
    }
    guard isDrawn else { return nil }
  }

  func makeImage() -> CGImage? {
    guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = CGDataProvider(data: Data(bytes) as CFData) else { return nil }
    return CGImage(
      width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4, space: space,
      bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue), provider: provider, decode: nil, shouldInterpolate: true,
      intent: .defaultIntent)
  }
}
#endif
