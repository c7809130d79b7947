extension FutureImage.Transform {
  /// One colour in the picture's shape, as UIKit shows a template: its alpha is kept, its own colours are not.
  public static func tint(_ color: FutureImage.Color) -> Self {
    Self("tint \(color)", .pixels { $0.tinted(color) })
  }

  /// The picture seen through coloured glass: each of its colours times that one. White leaves it as it is, black makes it black.
  /// - Parameter color: the less alpha it has, the less it does.
  public static func multiply(_ color: FutureImage.Color) -> Self {
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

  /// - Parameter change: the pixel that starts there.
  @inline(__always)
  func mapped(_ change: (UnsafeMutableBufferPointer<UInt8>, Int) -> Void) -> Self {
    var mapped = self
    // Four bytes a pixel: the last start is four before the end.
    mapped.withBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 4) { change(bytes, start) }
    }
    return mapped
  }

  /// What becomes of each byte; there are fewer of them than pixels.
  private static func table(_ value: (Double) -> Double) -> [UInt8] { (0...255).map { byte(value(Double($0))) } }

  /// - Parameter value: 0...255; what is beyond is cut to it, and what is no number is 0.
  static func byte(_ value: Double) -> UInt8 {
    // In this order: of a number and none, `max` gives its first.
    UInt8(value > 0 ? min(255, value.rounded()) : 0)
  }
}
