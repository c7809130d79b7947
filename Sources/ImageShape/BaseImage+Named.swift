import Foundation

/// A protocol for the initializers that UIKit imports from factory methods. These initializers return plain images, and subclasses do not
/// inherit them. Only ``BaseImage`` adopts the protocol.
public protocol BaseImageFactories {}

// Swift lets an initializer return an existing object only in an extension of a protocol that is not restricted to classes. The extension
// is constrained to `BaseImage`, because the initializers return objects of this class.
extension BaseImageFactories where Self == BaseImage {
  /// Returns the image of that name from the resources of the main bundle and of the packages linked into the program. Returns the same
  /// object each time, until memory runs low. Call it on any thread. The first call for a name reads the file. On Linux, the image is
  /// decoded when its pixels are first needed.
  ///
  /// On macOS, this initializer searches as `Bundle.image(forResource:)` does, which also finds images in asset catalogs. On Linux, it
  /// searches for `name`, `name.png`, `name.jpg`, and `name.jpeg`, each also with `@2x` and `@3x` before the extension. These suffixes set
  /// the scale. If the name already has one of these extensions, the initializer searches for no other extension.
  public init?(named name: String) {
    self.init(named: name, in: nil, with: nil)
  }

  /// Returns the image of that name from the resources of a bundle, by the same search as ``init(named:)``. If the bundle is nil, searches
  /// as ``init(named:)`` does. On Linux, the main bundle is searched in this way, too. The configuration has no effect.
  public init?(named name: String, in bundle: Bundle?, with configuration: BaseImage.Configuration?) {
    guard let image = NamedImages.shared.image(named: name, in: bundle) else { return nil }
    self = image
  }
}
