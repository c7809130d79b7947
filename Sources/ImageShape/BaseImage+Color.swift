#if canImport(AppKit) && !canImport(UIKit)
import AppKit

extension BaseImage {
  /// The Mac's own class of colors.
  public typealias Color = NSColor
}
#else
import Foundation

extension BaseImage {
  /// A color in sRGB, as a replacement for `UIColor` on platforms without UIKit. Colors with the same components are equal.
  // Unchecked, because the class is open. It is safe because its properties are constants.
  open class Color: NSObject, @unchecked Sendable {
    /// Red, green, blue, and alpha, each from 0 to 1.
    package let components: SIMD4<Double>

    public static let black = Color(red: 0, green: 0, blue: 0, alpha: 1)
    public static let white = Color(red: 1, green: 1, blue: 1, alpha: 1)
    public static let red = Color(red: 1, green: 0, blue: 0, alpha: 1)
    public static let green = Color(red: 0, green: 1, blue: 0, alpha: 1)
    public static let blue = Color(red: 0, green: 0, blue: 1, alpha: 1)

    /// Creates a color from its components, each from 0 to 1.
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
      components = SIMD4(Double(red), Double(green), Double(blue), Double(alpha))
      super.init()
    }

    /// Writes the components, each from 0 to 1, through the pointers that are not nil.
    /// - Returns: whether the color has components, which is true for all colors of this class.
    // The pointers are used only during the call.
    open func getRed(
      _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?, blue: UnsafeMutablePointer<CGFloat>?,
      alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
      red?.pointee = CGFloat(components.x)
      green?.pointee = CGFloat(components.y)
      blue?.pointee = CGFloat(components.z)
      alpha?.pointee = CGFloat(components.w)
      return true
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? Color)?.components == components }

    open override var hash: Int { components.hashValue }
  }
}
#endif
