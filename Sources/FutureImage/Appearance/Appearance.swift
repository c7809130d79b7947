extension FutureImage {
  /// The rendering mode and tint that a derived future applies to its image. They need no pixels of their own, and no cache stores them.
  struct Appearance: Sendable {
    enum Change: Equatable, Sendable {
      case renderingMode(BaseImage.RenderingMode)
      case tint(FutureImage.PlatformColor)
      case tintInMode(FutureImage.PlatformColor, BaseImage.RenderingMode)
    }

    /// The changes, in the order in which they were requested.
    var changes: [Change]

    /// The mode of the last change that sets a mode; nil if no change does.
    var renderingMode: BaseImage.RenderingMode? {
      changes.lazy.reversed().compactMap { change in
        switch change {
        case .renderingMode(let mode), .tintInMode(_, let mode): mode
        case .tint: nil
        }
      }.first
    }
  }
}

extension FutureImage.Appearance.Change {
  func applied(to image: BaseImage) -> BaseImage {
    switch self {
    case .renderingMode(let mode): image.withRenderingMode(mode)
    case .tint(let color): image.withTintColor(color)
    case .tintInMode(let color, let mode): image.withTintColor(color, renderingMode: mode)
    }
  }
}

extension DecodedImage {
  /// Returns a copy of the image with the changes. The copy retains the original, because the pool and the future identify the pixels by
  /// the original.
  static func inAppearance(_ image: BaseImage, _ changes: [FutureImage.Appearance.Change]) -> BaseImage {
    guard let bitmap = image.cgImage else { return changes.reduce(image) { $1.applied(to: $0) } }
    let copy = DecodedImage(bitmap, like: image, Details(of: image))
    return changes.reduce(copy) { $1.applied(to: $0) }
  }
}
