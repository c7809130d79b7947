#if canImport(UIKitStandIn) && !canImport(UIKit)
extension CGImage {
  /// Returns the image, no larger than a size in pixels.
  /// - Throws: `.outOfMemory`.
  func forDisplay(within size: FutureImage.PixelSize) throws(FutureImage.Failure) -> CGImage {
    guard width > size.width || height > size.height else { return self }
    let whole = SIMD2(Double(width), Double(height))
    guard
      let reduced = FutureImage.PixelBuffer(self, scale: 1)?
        .resampled(origin: .zero, extent: whole, width: size.width, height: size.height)?.makeImage()
    else { throw FutureImage.Failure(.outOfMemory) }
    return reduced
  }
}
#endif
