extension FutureImage.Transform {
  /// Fills the shape of the image with one color, as UIKit shows a template: its alpha is preserved, its own colors are not.
  ///
  ///     FutureImage(at: url, transform: .tint(.systemRed))
  /// - Parameter color: converted to sRGB at the time of the call, with a dynamic color resolved for `UITraitCollection.current`. A color
  ///   outside of sRGB, such as one of Display P3, is clamped to it. One without components, such as a pattern, becomes clear, and the log
  ///   says so once.
  public static func tint(_ color: UIColor) -> Self { tint(FutureImage.Color(color)) }

  /// Shows the image as if through colored glass: multiplies each of its colors by that one. White leaves it unchanged; black makes it
  /// black.
  /// - Parameter color: the color of the glass, converted as for ``tint(_:)``. The less alpha it has, the less effect it has.
  public static func multiply(_ color: UIColor) -> Self { multiply(FutureImage.Color(color)) }

  static func tint(_ color: FutureImage.Color) -> Self {
    Self("tint \(color)", .pixels { $0.tinted(color) })
  }

  static func multiply(_ color: FutureImage.Color) -> Self {
    Self("multiply \(color)", .pixels { $0.multiplied(color) })
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

  func multiplied(_ color: FutureImage.Color) -> Self {
    let red = Self.table { $0 * (1 - color.alpha + color.alpha * color.red) }
    let green = Self.table { $0 * (1 - color.alpha + color.alpha * color.green) }
    let blue = Self.table { $0 * (1 - color.alpha + color.alpha * color.blue) }
    return mapped { bytes, start in
      bytes[start] = red[Int(bytes[start])]
      bytes[start + 1] = green[Int(bytes[start + 1])]
      bytes[start + 2] = blue[Int(bytes[start + 2])]
    }
  }

  /// - Parameter change: changes the pixel that starts at the given byte.
  @inline(__always)
  func mapped(_ change: (UnsafeMutableBufferPointer<UInt8>, Int) -> Void) -> Self {
    var mapped = self
    // A pixel has four bytes: the last start is four before the end.
    mapped.withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 4) { change(bytes, start) }
    }
    return mapped
  }

  /// Returns the result for each value of a byte. There are fewer values than pixels.
  private static func table(_ value: (Double) -> Double) -> [UInt8] { (0...255).map { byte(value(Double($0))) } }

  /// - Parameter value: a value of 0...255; values beyond are clamped, and NaN becomes 0.
  static func byte(_ value: Double) -> UInt8 {
    // The comparison is false for NaN, which becomes 0.
    UInt8(value > 0 ? min(255, value.rounded()) : 0)
  }
}
