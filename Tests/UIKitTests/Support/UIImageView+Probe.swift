import FutureImage

// What an image view puts on the screen, as far as a process can see it.
#if canImport(UIKit)
extension UIImageView {
  /// Whether the view's layer has contents: an image view without them is blank.
  var isDisplaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    return layer.contents != nil
  }

  /// Whether the view's layer replaces its contents by an animation.
  var isPlaying: Bool {
    layoutIfNeeded()
    CATransaction.flush()
    let animations = (layer.animationKeys() ?? []).compactMap { layer.animation(forKey: $0) as? CAPropertyAnimation }
    return animations.contains { $0.keyPath == "contents" }
  }
}
#else
extension UIImageView {
  var isDisplaying: Bool {
    guard let image else { return false }
    return image.size.width > 0 && image.size.height > 0 && (image.cgImage != nil || image.images != nil)
  }

  var isPlaying: Bool { (image?.images?.count ?? 0) > 1 && (image?.duration ?? 0) > 0 }
}
#endif
