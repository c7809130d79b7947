import Foundation

extension BaseImage {
  /// The traits of a view's environment, or the traits for which an image is made. This class replaces `UITraitCollection` on platforms
  /// without UIKit.
  // Unchecked, because the class is open. It is safe because its properties are constants.
  open class Traits: NSObject, @unchecked Sendable {
    /// Pixels per point; 0 if unspecified.
    public let displayScale: CGFloat
    public let userInterfaceStyle: Style
    public let layoutDirection: Direction
    public let userInterfaceIdiom: Idiom

    /// Light or dark, with UIKit's raw values.
    public enum Style: Int, Sendable {
      case unspecified, light, dark
    }

    /// The direction of the language, with UIKit's raw values.
    public enum Direction: Int, Sendable {
      case unspecified = -1
      case leftToRight, rightToLeft
    }

    /// The kind of device, with UIKit's raw values.
    public enum Idiom: Int, Sendable {
      case unspecified = -1
      case phone
    }

    public override convenience init() {
      self.init(displayScale: 0)
    }

    /// - Parameter displayScale: pixels per point.
    public convenience init(displayScale: CGFloat) {
      self.init(displayScale: displayScale, style: .unspecified, direction: .unspecified, idiom: .unspecified)
    }

    public convenience init(userInterfaceStyle: Style) {
      self.init(displayScale: 0, style: userInterfaceStyle, direction: .unspecified, idiom: .unspecified)
    }

    /// - Parameter displayScale: pixels per point; 0 if unspecified.
    package init(displayScale: CGFloat, style: Style, direction: Direction, idiom: Idiom) {
      self.displayScale = displayScale
      userInterfaceStyle = style
      layoutDirection = direction
      userInterfaceIdiom = idiom
      super.init()
    }

    /// Returns a copy of these traits with the traits that the other collection specifies. All other traits stay unchanged.
    func replacing(with other: Traits) -> Traits {
      Traits(
        displayScale: other.displayScale > 0 ? other.displayScale : displayScale,
        style: other.userInterfaceStyle == .unspecified ? userInterfaceStyle : other.userInterfaceStyle,
        direction: other.layoutDirection == .unspecified ? layoutDirection : other.layoutDirection,
        idiom: other.userInterfaceIdiom == .unspecified ? userInterfaceIdiom : other.userInterfaceIdiom)
    }

    open override func isEqual(_ object: Any?) -> Bool {
      guard let other = object as? Traits else { return false }
      return displayScale == other.displayScale && userInterfaceStyle == other.userInterfaceStyle
        && layoutDirection == other.layoutDirection && userInterfaceIdiom == other.userInterfaceIdiom
    }

    open override var hash: Int { displayScale.hashValue ^ userInterfaceStyle.hashValue }
  }
}
