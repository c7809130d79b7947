// A package that gives the Mac's class the name of UIKit's class, as many packages do.
import AppKit

public typealias UIImage = NSImage

extension NSImage {
  public static func logo() -> UIImage { UIImage(size: NSSize(width: 16, height: 16)) }
}
