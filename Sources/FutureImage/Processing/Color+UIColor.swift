extension FutureImage.Color {
  /// The color of UIKit's in sRGB, at the time of the call: a dynamic color as it is for `UITraitCollection.current`.
  ///
  ///     FutureImage(at: url, transform: .tint(FutureImage.Color(.systemRed)))
  ///
  /// A color beyond sRGB, such as one of Display P3, is cut to it. One that has no components, such as a pattern, is clear, and the log
  /// says so once.
  public init(_ color: UIColor) {
    // Apple's documentation of `getRed(_:green:blue:alpha:)`: the components are those of extended sRGB; false where the color's space is
    // not compatible. The pointers are used during the call only.
    var (red, green, blue, alpha) = (CGFloat.zero, CGFloat.zero, CGFloat.zero, CGFloat.zero)
    if color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) {
      self.init(red: Double(red), green: Double(green), blue: Double(blue), alpha: Double(alpha))
    } else {
      DeveloperWarning.colorWithoutComponents.report()
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    }
  }
}
