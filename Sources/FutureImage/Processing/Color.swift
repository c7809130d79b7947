extension FutureImage {
  /// A color for transforms, in sRGB, not premultiplied.
  public struct Color: Sendable, Hashable, CustomStringConvertible {
    /// The red component, 0...1.
    public let red: Double
    /// The green component, 0...1.
    public let green: Double
    /// The blue component, 0...1.
    public let blue: Double
    /// The opacity, 0...1: transparent to opaque.
    public let alpha: Double

    /// Creates a color. Values beyond 0...1 are clamped; NaN becomes 0.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
      // The comparison is false for NaN, which becomes 0.
      func cut(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
      self.red = cut(red)
      self.green = cut(green)
      self.blue = cut(blue)
      self.alpha = cut(alpha)
    }

    /// The components in full: different colors have different descriptions.
    public var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }
}
