@_exported import ImageShape

// UIKit's names for the types of ImageShape.
public typealias UIImage = BaseImage
public typealias UIImageAsset = BaseImage.Asset
public typealias UIColor = BaseImage.Color
public typealias UIEdgeInsets = BaseImage.EdgeInsets
public typealias UITraitCollection = BaseImage.Traits
public typealias UIUserInterfaceStyle = BaseImage.Traits.Style
public typealias UITraitEnvironmentLayoutDirection = BaseImage.Traits.Direction
public typealias UIRectCorner = BaseImage.Corners
