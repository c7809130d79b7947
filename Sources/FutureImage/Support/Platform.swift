// The frameworks that every file of the library can use. Declarations that differ between platforms are in the files `Platform+NAME.swift`.
#if canImport(UIKit)
@_exported import UIKit
#elseif canImport(UIKitStandIn)
@_exported import Foundation
@_exported import UIKitStandIn
#elseif canImport(AppKit)
@_exported import AppKit
@_exported import ImageShape
#else
#error(
  "FutureImage needs UIKit (iOS, tvOS, visionOS, Mac Catalyst), AppKit (macOS), or Linux, where its own UIKitStandIn takes UIKit's place; this platform has none of them."
)
#endif

#if canImport(UIKit) || canImport(UIKitStandIn)
#if canImport(UIKit)
/// The base class of ``FutureImage``: `UIImage`, or this library's own class on macOS. Code that is compiled for macOS and for other
/// platforms uses this name.
public typealias BaseImage = UIImage
#endif

extension FutureImage {
  /// The platform's class of colors: `UIColor`, or `NSColor` on macOS.
  public typealias PlatformColor = UIColor
  /// The platform's class of views: `UIView`, or `NSView` on macOS.
  public typealias PlatformView = UIView
  /// The insets of an image: `UIEdgeInsets`, or a structure like it on macOS.
  public typealias PlatformInsets = UIEdgeInsets
  /// The corners of a rectangle: `UIRectCorner`, or a structure like it on macOS.
  public typealias Corners = UIRectCorner
  /// The way in which a view shows its image: `UIView.ContentMode`, or `NSImageScaling` on macOS.
  public typealias ContentMode = UIView.ContentMode
}
#else
extension FutureImage {
  /// The platform's class of colors: `NSColor`, or `UIColor` on other platforms.
  public typealias PlatformColor = NSColor
  /// The platform's class of views: `NSView`, or `UIView` on other platforms.
  public typealias PlatformView = NSView
  /// The insets of an image.
  public typealias PlatformInsets = BaseImage.EdgeInsets
  /// The corners of a rectangle.
  public typealias Corners = BaseImage.Corners
  /// The way in which a view shows its image: `NSImageScaling`, or `UIView.ContentMode` on other platforms.
  public typealias ContentMode = NSImageScaling
}
#endif

typealias PlatformView = FutureImage.PlatformView

/// The time of a file's last write. The name of the field differs between platforms.
func modificationTime(of status: stat) -> timespec {
  #if canImport(Darwin)
  status.st_mtimespec
  #else
  status.st_mtim
  #endif
}
