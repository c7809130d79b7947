extension FutureImage.Transform {
  /// The picture as it looks after it was saved as a JPEG: coarser, for a preview of what an upload will look like, say. Its alpha is kept,
  /// which a JPEG could not do.
  /// - Parameter quality: 0 (coarsest) to 1 (best), as for `jpegData(compressionQuality:)`. Values beyond are cut; what is no number leaves
  ///   the picture as it is.
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
    // Of the same size, so with as many bytes.
    saved.withBytes { bytes in
      for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = self.bytes[index] }
    }
    return saved
  }

  /// Opaque, in its own colours; the mean of them where it was transparent, since the blocks of a JPEG mix what is seen with what is not.
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
