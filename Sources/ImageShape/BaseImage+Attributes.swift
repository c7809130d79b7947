import Foundation

extension BaseImage {
  /// Whether a view draws an image in its own colors, or fills the image's shape with a tint. The raw values are those of UIKit.
  public enum RenderingMode: Int, Sendable {
    case automatic, alwaysOriginal, alwaysTemplate
  }
}

extension BaseImage {
  /// Everything that describes an image besides its bitmap, scale, and orientation.
  struct Attributes: Sendable {
    var images: [BaseImage]?
    /// The duration of all images together, in seconds.
    var duration: TimeInterval = 0
    var configuration: Configuration?
    var renderingMode = RenderingMode.automatic
    var tintColor: Color?
    /// The insets on each side for alignment, in points.
    var alignmentRectInsets = EdgeInsets.zero
    /// The distance of the baseline from the bottom, in points; nil without a baseline.
    var baselineOffset: CGFloat?
    var flipsForRightToLeft = false
    var asset: Asset?
    var isSymbol = false
  }
}

/// Attributes in a separate object, because few images have attributes.
final class StoredAttributes: Sendable {
  let value: BaseImage.Attributes

  init(_ value: BaseImage.Attributes) {
    self.value = value
  }
}
