@testable import FutureImage

extension UIImage {
  /// Whether this is the given image, or a future that shows its pixels.
  func looksLike(_ image: UIImage?) -> Bool { self === image || (self as? FutureImage)?.borrowed?.original === image }
}
