extension FutureImage.Transform {
  /// Makes the image look as it does after it was saved as a JPEG: coarser, for example to preview an upload. Its alpha is preserved, which
  /// a JPEG could not do.
  /// - Parameter quality: the quality, from 0 (coarsest) to 1 (best), as for `jpegData(compressionQuality:)`. Values beyond are clamped;
  ///   NaN leaves the image unchanged.
  public static func jpegQuality(_ quality: CGFloat) -> Self {
    Self("JPEG quality \(quality)", .pixels { try $0.savedAsJPEG(quality: quality) })
  }
}

extension FutureImage.PixelBuffer {
  func savedAsJPEG(quality: CGFloat) throws(FutureImage.Transform.Obstacle) -> Self {
    guard !quality.isNaN else { return self }
    guard let opaque = hidingTransparency().makeImage(),
      let data = UIImage(cgImage: opaque).jpegData(compressionQuality: max(0, min(1, quality))),
      let image = UIImage(data: data)?.cgImage, var saved = Self(image, scale: scale), (saved.width, saved.height) == (width, height)
    else { throw FutureImage.Transform.Obstacle(description: "\(width) × \(height) pixels do not fit into a JPEG; make it smaller") }
    // The image has the same size, so it has as many bytes.
    saved.withBytes { bytes in
      for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = self.bytes[index] }
    }
    return saved
  }

  /// Returns the pixels as opaque, in their own colors. Transparent pixels get the mean of the others, because the blocks of a JPEG mix
  /// visible and invisible pixels.
  private func hidingTransparency() -> Self {
    var sum = SIMD4<Int>.zero
    for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] > 0 {
      sum &+= SIMD4(Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]), 1)
    }
    var mean = [UInt8](repeating: 255, count: 3)
    if sum.w > 0 { for channel in 0..<3 { mean[channel] = UInt8(sum[channel] / sum.w) } }
    var opaque = self
    opaque.withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 4) {
        if bytes[start + 3] == 0 { for channel in 0..<3 { bytes[start + channel] = mean[channel] } }
        bytes[start + 3] = 255
      }
    }
    return opaque
  }
}
