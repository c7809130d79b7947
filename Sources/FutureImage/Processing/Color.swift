extension FutureImage {
  /// A color of a transform or a placeholder, in sRGB, not premultiplied.
  struct Color: Sendable, Hashable, CustomStringConvertible {
    /// The red component, 0...1.
    let red: Double
    /// The green component, 0...1.
    let green: Double
    /// The blue component, 0...1.
    let blue: Double
    /// The opacity, from 0 (transparent) to 1 (opaque).
    let alpha: Double

    /// Creates a color. Values beyond 0...1 are clamped; NaN becomes 0.
    init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
      // The comparison is false for NaN, which becomes 0.
      func cut(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
      self.red = cut(red)
      self.green = cut(green)
      self.blue = cut(blue)
      self.alpha = cut(alpha)
    }

    /// The components in full, so that different colors have different descriptions.
    var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }
}

extension FutureImage.Color {
  /// Converts a color to sRGB at the time of the call, as ``FutureImage/Transform/tint(_:)`` documents.
  init(_ color: FutureImage.PlatformColor) {
    if let own = color.sRGBComponents {
      self.init(red: own.x, green: own.y, blue: own.z, alpha: own.w)
    } else {
      DeveloperWarning.colorWithoutComponents.report()
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    }
  }
}
