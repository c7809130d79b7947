import Foundation

/// Holds the initializers that UIKit imports from factory methods: they hand out plain images, and subclasses do not inherit them.
/// Adopted by ``PlatformImage`` alone.
public protocol PlatformImageFactories {}

// In an extension for one type, and of a protocol not bound to classes, since only there an initializer may return an object that
// exists already.
extension PlatformImageFactories where Self == PlatformImage {
  /// The image of that name among the main bundle's resources and those of the packages linked into the program. The same object
  /// each time, until memory runs low. May be called on any thread; the first call for a name reads and decodes the file.
  ///
  /// Looks for `name`, `name.png`, `name.jpg` and `name.jpeg`, each also with `@2x` and `@3x` before the extension, which set the
  /// scale.
  public init?(named name: String) {
    self.init(named: name, in: nil, with: nil)
  }

  /// The same in another bundle; nil is the main one.
  public init?(named name: String, in bundle: Bundle?, with configuration: PlatformImage.Configuration?) {
    guard let image = NamedImages.shared.image(named: name, in: bundle) else { return nil }
    self = image
  }
}
