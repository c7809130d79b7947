#if canImport(CoreGraphics)
import CoreGraphics

extension CGImage {
  /// Returns the image, with its color profile, in a form that Core Animation displays without converting it at every commit.
  ///
  /// Most decoded images already have such a form, and are returned unchanged. An image is redrawn if it has straight alpha, more than
  /// eight bits per channel, inks (as in CMYK), or a palette. More than eight bits per channel would also exceed the four bytes per pixel
  /// that the pool counts.
  func readyForDisplay() -> CGImage {
    let isStraight = alphaInfo == .first || alphaInfo == .last
    // Three components are red, green, and blue. One component is gray, or an index into a palette. The color space of a palette does not
    // support output.
    let isGrayOrRGB = colorSpace.map { $0.supportsOutput && [1, 3].contains($0.numberOfComponents) } ?? false
    guard isStraight || bitsPerComponent > 8 || !isGrayOrRGB else { return self }
    return drawn(width: width, height: height) ?? self
  }

  /// Draws the image into a new bitmap, so that its pixels are decoded. If the image is wider or higher than the size, it is reduced to the
  /// size.
  /// - Throws: `.outOfMemory`.
  func forDisplay(within size: FutureImage.PixelSize) throws(FutureImage.Failure) -> CGImage {
    let mustReduce = width > size.width || height > size.height
    guard let drawn = drawn(width: mustReduce ? size.width : width, height: mustReduce ? size.height : height) else {
      throw FutureImage.Failure(.outOfMemory)
    }
    return drawn
  }

  /// Returns the image drawn at a size in pixels, premultiplied. The color space is that of the image if RGB bitmaps of eight bits support
  /// it, and sRGB otherwise.
  func drawn(width: Int, height: Int) -> CGImage? {
    let own = colorSpace.flatMap { $0.fitsEightBits ? $0 : nil }
    let spaces = [own, CGColorSpace(name: CGColorSpace.sRGB)].compactMap(\.self)
    return spaces.lazy.compactMap { self.drawn(width: width, height: height, in: $0) }.first
  }

  private func drawn(width: Int, height: Int, in space: CGColorSpace) -> CGImage? {
    let isOpaque = alphaInfo == .none || alphaInfo == .noneSkipFirst || alphaInfo == .noneSkipLast
    let alpha = isOpaque ? CGImageAlphaInfo.noneSkipFirst : .premultipliedFirst
    // If the caller passes no memory and no row length, CoreGraphics allocates the bitmap and aligns its rows.
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
  /// Whether RGB bitmaps of eight bits per channel can have this color space. In a color space for HDR, they would show bands, or lose
  /// colors that are brighter than white.
  fileprivate var fitsEightBits: Bool {
    supportsOutput && numberOfComponents == 3 && !CGColorSpaceUsesITUR_2100TF(self) && !CGColorSpaceUsesExtendedRange(self)
  }
}
#endif
