import Foundation

/// The traits that a view and its subviews use instead of those of their environment.
public struct UITraitOverrides: Sendable {
  /// Pixels per point; 0 overrides nothing.
  public var displayScale: CGFloat = 0
  public var userInterfaceStyle = UIUserInterfaceStyle.unspecified

  var isEmpty: Bool { displayScale <= 0 && userInterfaceStyle == .unspecified }

  func applied(to traits: UITraitCollection) -> UITraitCollection {
    UITraitCollection(
      displayScale: displayScale > 0 ? displayScale : traits.displayScale,
      style: userInterfaceStyle == .unspecified ? traits.userInterfaceStyle : userInterfaceStyle,
      direction: traits.layoutDirection, idiom: traits.userInterfaceIdiom)
  }
}
