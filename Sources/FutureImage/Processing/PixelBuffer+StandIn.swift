#if canImport(UIKitStandIn) && !canImport(UIKit)
extension FutureImage.PixelBuffer {
  init?(_ image: CGImage, scale: CGFloat) {
    self.init(width: image.width, height: image.height, scale: scale, bytes: image.withRGBA { Array($0) })
  }

  package func makeImage() -> CGImage? { CGImage(width: width, height: height, rgba: bytes) }
}
#endif
