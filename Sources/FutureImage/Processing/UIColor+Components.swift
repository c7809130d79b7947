#if canImport(UIKit) || canImport(UIKitStandIn)
extension UIColor {
  /// The red, green, blue, and alpha in extended sRGB; nil for a color without such components.
  ///
  /// According to Apple's documentation, `getRed(_:green:blue:alpha:)` writes the components of extended sRGB, and returns false if the
  /// color's space is not compatible.
  var sRGBComponents: SIMD4<Double>? {
    var (red, green, blue, alpha) = (CGFloat.zero, CGFloat.zero, CGFloat.zero, CGFloat.zero)
    // The pointers are used only during the call.
    guard getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
    return SIMD4(Double(red), Double(green), Double(blue), Double(alpha))
  }
}
#endif
