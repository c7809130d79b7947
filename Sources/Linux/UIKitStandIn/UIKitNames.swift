@_exported import ImageShape

// UIKit's names for the types of ImageShape.
public typealias UIImage = PlatformImage
public typealias UIImageAsset = PlatformImage.Asset
public typealias UIColor = PlatformColor
public typealias UIEdgeInsets = EdgeInsets
public typealias UITraitCollection = ImageTraits
public typealias UIUserInterfaceStyle = ImageTraits.Style
public typealias UITraitEnvironmentLayoutDirection = ImageTraits.Direction

/// The corners of a rectangle.
public struct UIRectCorner: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let topLeft = UIRectCorner(rawValue: 1)
  public static let topRight = UIRectCorner(rawValue: 2)
  public static let bottomLeft = UIRectCorner(rawValue: 4)
  public static let bottomRight = UIRectCorner(rawValue: 8)
  /// All bits are set, as in UIKit, including bits that name no corner.
  public static let allCorners = UIRectCorner(rawValue: .max)
}
