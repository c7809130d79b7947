import Foundation

/// An item of a bar, for platforms without UIKit.
@MainActor open class UIBarItem: NSObject {
  open var image: UIImage?

  public nonisolated override init() {
    super.init()
  }

  /// Whether the bar shows only the image's shape, filled with the tint: a photo is a solid block. Not part of UIKit.
  public var drawsTemplate: Bool { image?.isTemplate(inChrome: true) ?? false }
}

/// A button in a navigation bar or toolbar, for platforms without UIKit.
@MainActor open class UIBarButtonItem: UIBarItem {}
