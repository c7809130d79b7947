extension FutureImage {
  /// A color of a transform or a placeholder, in sRGB, not premultiplied.
  struct Color: Sendable, Hashable, CustomStringConvertible {
    /// The red component, 0...1.
    let red: Double
    /// The green component, 0...1.
    let green: Double
    /// The blue component, 0...1.
    let blue: Double
    /// The opacity, 0...1: transparent to opaque.
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

    /// The components in full: different colors have different descriptions.
    var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }
}
