/// A color space. There is only sRGB.
public final class CGColorSpace: Sendable {
  static let sRGB = CGColorSpace()

  private init() {}
}
