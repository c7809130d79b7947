extension FutureImage {
  /// A colour to change pictures with: sRGB, not premultiplied.
  public struct Color: Sendable, Hashable, CustomStringConvertible {
    /// 0...1.
    public let red: Double
    /// 0...1.
    public let green: Double
    /// 0...1.
    public let blue: Double
    /// 0...1: nothing to opaque.
    public let alpha: Double

    /// Values beyond 0...1 are cut to it; what is no number is 0.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
      // In this order: of a number and none, `max` gives its first.
      func cut(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
      self.red = cut(red)
      self.green = cut(green)
      self.blue = cut(blue)
      self.alpha = cut(alpha)
    }

    /// The values in full: different colours have different descriptions.
    public var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }
}
