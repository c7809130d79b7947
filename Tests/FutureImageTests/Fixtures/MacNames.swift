#if canImport(AppKit) && !canImport(UIKit)
@testable import FutureImage

// UIKit's names, which the tests use, for what the library has in their place on a Mac.
typealias UIImage = BaseImage
typealias UIImageAsset = BaseImage.Asset
typealias UIColor = NSColor
typealias UIView = NSView
typealias UIEdgeInsets = BaseImage.EdgeInsets
typealias UIRectCorner = BaseImage.Corners
typealias UITraitCollection = BaseImage.Traits
typealias UIUserInterfaceStyle = BaseImage.Traits.Style

/// A view of an app's own that shows an image as `UIImageView` does. `AppKitTests` has the tests of AppKit's views.
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
