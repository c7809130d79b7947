#if canImport(UIKit)
import CoreGraphics

extension CGImage {
  /// Returns the image, with its color profile, in a form that Core Animation displays without converting it at every commit.
  ///
  /// Most decoded images have such a form already and are returned unchanged. The others are redrawn: those with straight alpha, with more
  /// than eight bits per channel (which would also exceed the four bytes per pixel that the pool counts), with inks, and with palettes.
  func readyForDisplay() -> CGImage {
    let isStraight = alphaInfo == .first || alphaInfo == .last
    // Red, green, and blue, or gray. A palette has one component as well, but does not support output.
    let isGrayOrRGB = colorSpace.map { $0.supportsOutput && [1, 3].contains($0.numberOfComponents) } ?? false
    guard isStraight || bitsPerComponent > 8 || !isGrayOrRGB else { return self }
    return drawn(width: width, height: height) ?? self
  }

  /// Draws the image once, so that its pixels are decoded, no larger than a size in pixels.
  /// - Throws: `.outOfMemory`.
  func forDisplay(within size: FutureImage.PixelSize) throws(FutureImage.Failure) -> CGImage {
    let mustReduce = width > size.width || height > size.height
    guard let drawn = drawn(width: mustReduce ? size.width : width, height: mustReduce ? size.height : height) else {
      throw FutureImage.Failure(.outOfMemory)
    }
    return drawn
  }

  /// Draws the image at a size in pixels, premultiplied, in its own color space if bitmaps of eight bits support that, otherwise in sRGB.
  func drawn(width: Int, height: Int) -> CGImage? {
    let own = colorSpace.flatMap { $0.fitsEightBits ? $0 : nil }
    let spaces = [own, CGColorSpace(name: CGColorSpace.sRGB)].compactMap(\.self)
    return spaces.lazy.compactMap { self.drawn(width: width, height: height, in: $0) }.first
  }

  private func drawn(width: Int, height: Int, in space: CGColorSpace) -> CGImage? {
    let isOpaque = alphaInfo == .none || alphaInfo == .noneSkipFirst || alphaInfo == .noneSkipLast
    let alpha = isOpaque ? CGImageAlphaInfo.noneSkipFirst : .premultipliedFirst
    // Without memory and a row length from the caller, CoreGraphics allocates the bitmap and aligns its rows.
    guard
      let context = CGContext(
        data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0, space: space,
        bitmapInfo: alpha.rawValue | CGBitmapInfo.byteOrder32Little.rawValue)
    else { return nil }
    context.interpolationQuality = .high
    context.draw(self, in: CGRect(x: 0, y: 0, width: width, height: height))
    return context.makeImage()
  }
}

extension CGColorSpace {
  /// Whether bitmaps of eight bits per channel can have this color space. Those of HDR would show bands, or lose what is beyond white.
  fileprivate var fitsEightBits: Bool {
    supportsOutput && numberOfComponents == 3 && !CGColorSpaceUsesITUR_2100TF(self) && !CGColorSpaceUsesExtendedRange(self)
  }
}
#endif
