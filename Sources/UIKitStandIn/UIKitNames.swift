@_exported import ImageShape

// UIKit's names for the types of ImageShape.
public typealias UIImage = PlatformImage
public typealias UIImageAsset = PlatformImage.Asset
public typealias UIColor = PlatformColor
public typealias UIEdgeInsets = EdgeInsets
public typealias UITraitCollection = ImageTraits
public typealias UIUserInterfaceStyle = ImageTraits.Style
public typealias UITraitEnvironmentLayoutDirection = ImageTraits.Direction
