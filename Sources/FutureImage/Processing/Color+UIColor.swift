extension FutureImage.Color {
  /// Converts a `UIColor` to sRGB at the time of the call. A dynamic color is resolved for `UITraitCollection.current`.
  ///
  ///     FutureImage(at: url, transform: .tint(FutureImage.Color(.systemRed)))
  ///
  /// A color outside of sRGB, such as one of Display P3, is clamped to it. A color without components, such as a pattern, becomes clear,
  /// and the log says so once.
  public init(_ color: UIColor) {
    // Apple's documentation of `getRed(_:green:blue:alpha:)`: the components are those of extended sRGB; the result is false if the color's
    // space is not compatible. The pointers are used only during the call.
    var (red, green, blue, alpha) = (CGFloat.zero, CGFloat.zero, CGFloat.zero, CGFloat.zero)
    if color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) {
      self.init(red: Double(red), green: Double(green), blue: Double(blue), alpha: Double(alpha))
    } else {
      DeveloperWarning.colorWithoutComponents.report()
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
    }
  }
}
