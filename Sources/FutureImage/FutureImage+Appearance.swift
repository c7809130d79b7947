extension FutureImage {
  /// The rendering mode and tint that a derived future applies to its image. They need no pixels of their own, and no cache stores them.
  struct Appearance: Sendable {
    enum Change: Equatable, Sendable {
      case renderingMode(UIImage.RenderingMode)
      case tint(UIColor)
      case tintInMode(UIColor, UIImage.RenderingMode)
    }

    /// The changes, in the order in which they were requested.
    var changes: [Change]

    /// The mode of the last change that sets a mode; nil if no change does.
    var renderingMode: UIImage.RenderingMode? {
      changes.lazy.reversed().compactMap { change in
        switch change {
        case .renderingMode(let mode), .tintInMode(_, let mode): mode
        case .tint: nil
        }
      }.first
    }
  }
}

extension Reader {
  /// Returns the image in this future's appearance. Each call returns the same object as long as something retains it.
  func applyingAppearance(to image: UIImage) -> UIImage {
    guard let appearance = descriptor.appearance else { return image }
    return applying(appearance, to: image)
  }

  /// Returns the image in the appearance that it has in the place. This is the future's own appearance or, if the future has none, the
  /// rendering mode of the place.
  @MainActor func applyingAppearance(to image: UIImage, in place: Place) -> UIImage {
    let mode = place.renderingMode
    guard mode != .automatic, descriptor.appearance == nil else { return applyingAppearance(to: image) }
    return applying(FutureImage.Appearance(changes: [.renderingMode(mode)]), to: image)
  }

  private func applying(_ appearance: FutureImage.Appearance, to image: UIImage) -> UIImage {
    // The reference leaves the lock with the result, so that the image is not released inside.
    let known = withLock(\.dressed)
    if let known, known.details?.original === image, known.renderingMode == appearance.renderingMode ?? known.renderingMode { return known }
    let dressed = DecodedImage.dressed(image, appearance.changes)
    withLock { $0.dressed = dressed as? DecodedImage }
    return dressed
  }

  func applyingAppearance(to phase: FutureImage.Phase) -> FutureImage.Phase {
    if case .ready(let image) = phase { .ready(applyingAppearance(to: image)) } else { phase }
  }

  func applyingAppearance(to result: Result<UIImage, FutureImage.Failure>) -> Result<UIImage, FutureImage.Failure> {
    if case .success(let image) = result { .success(applyingAppearance(to: image)) } else { result }
  }
}

extension FutureImage.Appearance.Change {
  func applied(to image: UIImage) -> UIImage {
    switch self {
    case .renderingMode(let mode): image.withRenderingMode(mode)
    case .tint(let color): image.withTintColor(color)
    case .tintInMode(let color, let mode): image.withTintColor(color, renderingMode: mode)
    }
  }
}

extension DecodedImage {
  /// Returns a copy of the image with the changes. The copy retains the original, by which the pool and the future identify its pixels.
  fileprivate static func dressed(_ image: UIImage, _ changes: [FutureImage.Appearance.Change]) -> UIImage {
    guard let bitmap = image.cgImage else { return changes.reduce(image) { $1.applied(to: $0) } }
    let undressed = DecodedImage(bitmap, like: image, Details(of: image))
    return changes.reduce(undressed) { $1.applied(to: $0) }
  }
}
