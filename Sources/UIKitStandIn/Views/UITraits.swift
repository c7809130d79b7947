import Foundation

/// The traits of a view's surroundings; here the display scale alone.
// Unchecked, because the class is open: its one property is a constant.
open class UITraitCollection: NSObject, @unchecked Sendable {
  /// Pixels a point; 0 if unspecified.
  public let displayScale: CGFloat

  public override init() {
    displayScale = 0
    super.init()
  }

  public init(displayScale: CGFloat) {
    self.displayScale = displayScale
    super.init()
  }
}

/// What a view and those inside it see instead of their surroundings' traits.
public struct UITraitOverrides: Sendable {
  /// Pixels a point; 0 overrides nothing.
  public var displayScale: CGFloat = 0
}

/// The screen, which is never seen: scale 1.
@MainActor public final class UIScreen {
  public static let main = UIScreen()

  /// Points.
  public let bounds = CGRect(x: 0, y: 0, width: 1024, height: 768)
  /// Pixels a point.
  public let scale: CGFloat = 1
  let traitCollection = UITraitCollection(displayScale: 1)

  private init() {}
}
