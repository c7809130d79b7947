@testable import FutureImage

extension UIImage {
  /// Whether this is that image, or a future that shows its pixels.
  func looksLike(_ image: UIImage?) -> Bool { self === image || (self as? FutureImage)?.borrowed?.original === image }
}
