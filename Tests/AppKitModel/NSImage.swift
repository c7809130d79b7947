// The numbers of facts, such as M7, are those of the list in `Tests/AppleFrameworks.md`.

/// An image, which draws one of its representations. It can be changed, and is not `Sendable` (fact M7).
open class NSImage: NSObject, NSCopying {
  /// The size in points.
  open var size: NSSize
  open var isTemplate = false
  public private(set) var representations: [NSBitmapImageRep] = []

  /// Creates an image without a representation, which draws nothing.
  // Required, so that `copy(with:)` can make an object of a subclass. AppKit needs no such initializer.
  public required init(size: NSSize) {
    self.size = size
    super.init()
  }

  open func addRepresentation(_ representation: NSBitmapImageRep) { representations.append(representation) }

  /// Returns a copy of the same class. In the copy, the properties that a subclass declares have their default values. AppKit may behave
  /// differently: it is unknown whether it copies the bytes of an object without retaining the objects to which these bytes refer (facts M3
  /// and M4).
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = Self(size: size)
    copy.isTemplate = isTemplate
    copy.representations = representations
    return copy
  }

  /// Returns the bitmap of the first representation.
  open func cgImage(forProposedRect rect: UnsafeMutablePointer<NSRect>?, context: AnyObject?, hints: [String: Any]?) -> CGImage? {
    representations.first?.cgImage
  }
}

/// A representation of one bitmap. It does not know the orientation of a bitmap (fact M8).
public final class NSBitmapImageRep: NSObject {
  public let cgImage: CGImage?
  /// The size in points. Initially, each pixel is a point (fact M8).
  public var size: NSSize

  public init(cgImage: CGImage) {
    self.cgImage = cgImage
    size = NSSize(width: cgImage.width, height: cgImage.height)
    super.init()
  }
}

public struct NSColorSpace: Equatable, Sendable {
  fileprivate enum Kind { case sRGB, gray, pattern }
  fileprivate let kind: Kind

  public static let sRGB = Self(kind: .sRGB)
  public static let genericGray = Self(kind: .gray)
}

/// A color in a color space. A color that is a pattern has no components.
// Unchecked, because the compiler checks no open class. It is safe because both stored properties are constants.
open class NSColor: NSObject, @unchecked Sendable {
  private let kind: NSColorSpace.Kind
  private let components: SIMD4<Double>

  private init(_ kind: NSColorSpace.Kind, _ components: SIMD4<Double>) {
    self.kind = kind
    self.components = components
    super.init()
  }

  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(.sRGB, SIMD4(Double(red), Double(green), Double(blue), Double(alpha)))
  }

  /// Creates a color in sRGB.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(srgbRed: red, green: green, blue: blue, alpha: alpha)
  }

  /// Creates a color in a gray space, like `NSColor.white`.
  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(.gray, SIMD4(Double(white), Double(white), Double(white), Double(alpha)))
  }

  /// Creates a color that repeats an image.
  public convenience init(patternImage image: NSImage) { self.init(.pattern, .zero) }

  public static let black = NSColor(white: 0, alpha: 1)
  public static let white = NSColor(white: 1, alpha: 1)
  public static let red = NSColor(srgbRed: 1, green: 0, blue: 0, alpha: 1)
  public static let green = NSColor(srgbRed: 0, green: 1, blue: 0, alpha: 1)
  public static let blue = NSColor(srgbRed: 0, green: 0, blue: 1, alpha: 1)

  /// Returns the color in the space; nil for a pattern.
  open func usingColorSpace(_ space: NSColorSpace) -> NSColor? { kind == .pattern ? nil : NSColor(space.kind, components) }

  /// Writes the components. Traps for a color outside of RGB spaces, because AppKit raises an exception (fact M11).
  open func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?, blue: UnsafeMutablePointer<CGFloat>?,
    alpha: UnsafeMutablePointer<CGFloat>?
  ) {
    precondition(kind == .sRGB, "getRed(_:green:blue:alpha:) of a color that is not in an RGB space")
    red?.pointee = CGFloat(components.x)
    green?.pointee = CGFloat(components.y)
    blue?.pointee = CGFloat(components.z)
    alpha?.pointee = CGFloat(components.w)
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSColor else { return false }
    return other.kind == kind && other.components == components
  }

  open override var hash: Int { components.hashValue }
}
