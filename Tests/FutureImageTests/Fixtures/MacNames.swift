#if canImport(AppKit) && !canImport(UIKit)
@testable import FutureImage

// The tests use UIKit's names. On a Mac, these names refer to the types that the library uses in place of UIKit's types.
typealias UIImage = BaseImage
typealias UIImageAsset = BaseImage.Asset
typealias UIColor = NSColor
typealias UIView = NSView
typealias UIEdgeInsets = BaseImage.EdgeInsets
typealias UIRectCorner = BaseImage.Corners
typealias UITraitCollection = BaseImage.Traits
typealias UIUserInterfaceStyle = BaseImage.Traits.Style

/// A view as an app could define it, which shows an image as UIKit's `UIImageView` does. `AppKitTests` has the tests of AppKit's views.
@MainActor class UIImageView: NSView, ImageDisplaying {
  enum ContentMode {
    case scaleToFill, scaleAspectFit, scaleAspectFill, center
  }

  var image: BaseImage?

  override var intrinsicContentSize: NSSize {
    image?.size ?? NSSize(width: NSView.noIntrinsicMetric, height: NSView.noIntrinsicMetric)
  }

  var contentMode = ContentMode.scaleToFill

  var pixelFitting: FutureImage.Fitting? {
    switch contentMode {
    case .scaleAspectFit: pixelBox.map { .fit($0) }
    case .scaleToFill, .scaleAspectFill: pixelBox.map { .fill($0) }
    case .center: .full
    }
  }
}
#endif
