#if canImport(CoreGraphics)
import CoreGraphics

extension FutureImage.PixelBuffer {
  /// Creates a buffer by drawing an image into the buffer's memory, which converts the image to sRGB. CoreGraphics draws only premultiplied
  /// pixels, so colors with little alpha lose precision.
  package init?(_ image: CGImage, scale: CGFloat) {
    self.init(width: image.width, height: image.height, scale: scale)
    let (width, height) = (width, height)
    let isDrawn = withBytes { bytes in
      draining {
        // The context draws into the buffer, and is released inside this closure, so the buffer outlives the context.
        guard let space = CGColorSpace(name: CGColorSpace.sRGB),
          let context = CGContext(
            data: bytes.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4, space: space,
            bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        else { return false }
        context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        return true
      }
    }
    guard isDrawn else { return nil }
    divideByAlpha()
  }

  private mutating func divideByAlpha() {
    withBytes { bytes in
      for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 && bytes[pixel + 3] != 0 {
        let alpha = Int(bytes[pixel + 3])
        for channel in pixel..<pixel + 3 { bytes[channel] = UInt8(min(255, (Int(bytes[channel]) * 255 + alpha / 2) / alpha)) }
      }
    }
  }

  /// Creates an image in the form that Core Animation displays without a conversion.
  package func makeImage() -> CGImage? {
    draining {
      let pixels = DisplayPixels(self)
      guard let space = CGColorSpace(name: CGColorSpace.sRGB), let provider = CGDataProvider(data: pixels.bytes as CFData)
      else { return nil }
      let alpha = pixels.isOpaque ? CGImageAlphaInfo.noneSkipFirst : .premultipliedFirst
      return CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: pixels.bytesPerRow, space: space,
        bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue | CGBitmapInfo.byteOrder32Little.rawValue), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    }
  }
}
#endif
