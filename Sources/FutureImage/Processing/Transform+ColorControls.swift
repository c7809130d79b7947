extension FutureImage.Transform {
  /// Adjusts saturation, contrast, and brightness, in this order, by the formulas that Apple documents for Core Image's `CIColorControls`.
  ///
  ///     FutureImage(at: url, transform: .colorControls(saturation: 0))    // gray
  ///
  /// Each component, from 0 to 1, becomes:
  ///
  /// | step | component |
  /// | --- | --- |
  /// | saturation | gray + (component − gray) × saturation |
  /// | contrast | (component − 0.5) × contrast + 0.5 |
  /// | brightness | component + brightness |
  ///
  /// The result is clamped to 0...1 at the end. Alpha does not change. The components are the stored values, in sRGB. By default, a
  /// `CIContext` converts components to its linear working space, so it produces other pixels. Gray is 0.2126 red + 0.7152 green + 0.0722
  /// blue, which is the luma of ITU-R BT.709, because Apple does not document the weights that Core Image uses.
  /// - Parameters:
  ///   - brightness: the value to add, from -1 to 1; 0 changes nothing.
  ///   - contrast: the contrast, from 0 to 4; 1 changes nothing.
  ///   - saturation: the saturation, from 0 (gray) to 2; 1 changes nothing. If any parameter is not finite, the image is unchanged.
  public static func colorControls(brightness: Double = 0, contrast: Double = 1, saturation: Double = 1) -> Self {
    let controls = ColorControls(brightness: brightness, contrast: contrast, saturation: saturation)
    return Self(
      "color controls of brightness \(brightness), contrast \(contrast), saturation \(saturation)", .pixels { controls.applied(to: $0) })
  }
}

/// The values of the three controls. Source: Apple, Core Image Filter Reference (documentation archive), `CIColorControls`.
///
/// | red, green, blue | brightness | contrast | saturation | becomes |
/// | --- | --- | --- | --- | --- |
/// | 200, 100, 50 | 0 | 1 | 1 | 200, 100, 50 |
/// | 200, 100, 50 | 0.2 | 1 | 1 | 251, 151, 101 |
/// | 200, 100, 50 | 0 | 2 | 1 | 255, 73, 0 |
/// | 200, 100, 50 | 0 | 1 | 0 | 118, 118, 118 |
/// | 200, 100, 50 | 0 | 1 | 2 | 255, 82, 0 |
/// | 200, 100, 50 | 0.1 | 0.5 | 0.5 | 169, 144, 131 |
private struct ColorControls: Sendable {
  let brightness: Double
  let contrast: Double
  let saturation: Double

  private var isIdentity: Bool { brightness == 0 && contrast == 1 && saturation == 1 }
  private var isFinite: Bool { brightness.isFinite && contrast.isFinite && saturation.isFinite }

  func applied(to buffer: FutureImage.PixelBuffer) -> FutureImage.PixelBuffer {
    guard isFinite, !isIdentity else { return buffer }
    return buffer.mapped { bytes, start in
      let (red, green, blue) = (Double(bytes[start]), Double(bytes[start + 1]), Double(bytes[start + 2]))
      let gray = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      bytes[start] = adjusted(red, gray)
      bytes[start + 1] = adjusted(green, gray)
      bytes[start + 2] = adjusted(blue, gray)
    }
  }

  /// Returns the adjusted component. Both arguments are in the range 0...255.
  @inline(__always)
  private func adjusted(_ component: Double, _ gray: Double) -> UInt8 {
    // For a saturation of 1, this form is exact. The documented form could have a rounding error.
    let saturated = component * saturation + gray * (1 - saturation)
    return FutureImage.PixelBuffer.byte((saturated - 127.5) * contrast + 127.5 + brightness * 255)
  }
}
