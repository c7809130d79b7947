import Foundation

extension PlatformImage {
  /// Whether a view draws an image's colors or fills its shape with a tint, with UIKit's raw values.
  public enum RenderingMode: Int, Sendable {
    case automatic, alwaysOriginal, alwaysTemplate
  }
}

extension PlatformImage {
  /// Everything that describes an image besides its bitmap, scale, and orientation.
  struct Attributes: Sendable {
    var images: [PlatformImage]?
    /// Seconds for all images.
    var duration: TimeInterval = 0
    var configuration: Configuration?
    var renderingMode = RenderingMode.automatic
    var tintColor: PlatformColor?
    /// Points.
    var alignmentRectInsets = EdgeInsets.zero
    /// Points from the bottom; nil without a baseline.
    var baselineOffset: CGFloat?
    var flipsForRightToLeft = false
    var asset: Asset?
    var isSymbol = false
  }
}

/// Attributes in a separate object, because few images have any.
final class StoredAttributes: Sendable {
  let value: PlatformImage.Attributes

  init(_ value: PlatformImage.Attributes) {
    self.value = value
  }
}
