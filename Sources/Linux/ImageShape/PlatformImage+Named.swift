import Foundation

/// A protocol for the initializers that UIKit imports from factory methods: they return plain images, and subclasses do not inherit them.
/// Only ``PlatformImage`` adopts it.
public protocol PlatformImageFactories {}

// In an extension that is constrained to one type, of a protocol that is not bound to classes: only there may an initializer return an
// existing object.
extension PlatformImageFactories where Self == PlatformImage {
  /// Returns the image of that name from the resources of the main bundle and of the packages linked into the program. Returns the same
  /// object each time, until memory runs low. Call it on any thread. The first call for a name reads and decodes the file.
  ///
  /// Looks for `name`, `name.png`, `name.jpg` and `name.jpeg`, each also with `@2x` and `@3x` before the extension, which set the
  /// scale.
  public init?(named name: String) {
    self.init(named: name, in: nil, with: nil)
  }

  /// The same, from another bundle; nil is the main bundle.
  public init?(named name: String, in bundle: Bundle?, with configuration: PlatformImage.Configuration?) {
    guard let image = NamedImages.shared.image(named: name, in: bundle) else { return nil }
    self = image
  }
}
