extension FutureImage.Color {
  /// Converts a `UIColor` to sRGB at the time of the call, as ``FutureImage/Transform/tint(_:)`` documents.
  init(_ color: UIColor) {
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
