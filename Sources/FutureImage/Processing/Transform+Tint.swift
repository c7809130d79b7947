extension FutureImage.Transform {
  /// Fills the shape of the image with one color, as UIKit does with a template image. The alpha of the image is preserved, but its colors
  /// are not.
  ///
  ///     FutureImage(at: url, transform: .tint(.systemRed))
  /// - Parameter color: the color, which is converted to sRGB at the time of the call. A dynamic color is resolved for
  ///   `UITraitCollection.current`. A color outside of sRGB, such as a color in Display P3, is clamped to sRGB. A color without components,
  ///   such as a pattern, becomes clear, and the log reports it once.
  public static func tint(_ color: FutureImage.PlatformColor) -> Self { tint(FutureImage.Color(color)) }

  static func tint(_ color: FutureImage.Color) -> Self {
    Self("tint \(color)", .pixels { $0.tinted(color) })
  }
}

extension FutureImage.PixelBuffer {
  func tinted(_ color: FutureImage.Color) -> Self {
    let (red, green, blue) = (Self.byte(color.red * 255), Self.byte(color.green * 255), Self.byte(color.blue * 255))
    let alpha = Self.table { $0 * color.alpha }
    return mapped { bytes, start in
      bytes[start] = red
      bytes[start + 1] = green
      bytes[start + 2] = blue
      bytes[start + 3] = alpha[Int(bytes[start + 3])]
    }
  }

  /// - Parameter change: changes the pixel that starts at the given byte.
  @inline(__always)
  func mapped(_ change: (UnsafeMutableBufferPointer<UInt8>, Int) -> Void) -> Self {
    var mapped = self
    // A pixel has four bytes, so the last pixel starts four bytes before the end.
    mapped.withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 4) { change(bytes, start) }
    }
    return mapped
  }

  /// Returns the result for each value of a byte. A table saves time, because there are fewer values than pixels.
  private static func table(_ value: (Double) -> Double) -> [UInt8] { (0...255).map { byte(value(Double($0))) } }

  /// - Parameter value: a value of 0...255; values beyond are clamped, and NaN becomes 0.
  static func byte(_ value: Double) -> UInt8 {
    // The comparison is false for NaN, which becomes 0.
    UInt8(value > 0 ? min(255, value.rounded()) : 0)
  }
}
