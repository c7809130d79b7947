// A package with the name of UIKit's class for the Mac's class, as many packages have.
import AppKit

public typealias UIImage = NSImage

extension NSImage {
  public static func logo() -> UIImage { UIImage(size: NSSize(width: 16, height: 16)) }
}
