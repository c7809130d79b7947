extension FutureImage {
  /// The rendering mode and tint in which a derived future hands out its picture. They cost no pixels, and no cache knows of them.
  struct Appearance: Sendable {
    enum Change: Hashable, Sendable {
      case renderingMode(UIImage.RenderingMode)
      case tint(UIColor)
      case tintInMode(UIColor, UIImage.RenderingMode)
    }

    /// In the order in which they were asked for.
    var changes: [Change]

    /// Nil where no change sets one.
    var renderingMode: UIImage.RenderingMode? {
      changes.lazy.reversed().compactMap { change in
        switch change {
        case .renderingMode(let mode), .tintInMode(_, let mode): mode
        case .tint: nil
        }
      }.first
    }
  }

  /// A picture as this future hands it out. The same object each time, as long as anybody has it.
  func applyingAppearance(to image: UIImage) -> UIImage {
    guard let appearance = descriptor?.appearance else { return image }
    if let known = state.withLock({ $0.dressed }), known.details?.original === image { return known }
    let dressed = DecodedImage.dressed(image, appearance.changes)
    state.withLock { $0.dressed = dressed as? DecodedImage }
    return dressed
  }

  func applyingAppearance(to phase: Phase) -> Phase {
    if case .ready(let image) = phase { .ready(applyingAppearance(to: image)) } else { phase }
  }

  func applyingAppearance(to result: Result<UIImage, Failure>) -> Result<UIImage, Failure> {
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
  /// A copy of the image with the changes, which holds the image: the pool and the future know its pixels by that one.
  fileprivate static func dressed(_ image: UIImage, _ changes: [FutureImage.Appearance.Change]) -> UIImage {
    guard let bitmap = image.cgImage else { return changes.reduce(image) { $1.applied(to: $0) } }
    let undressed = DecodedImage(bitmap, like: image, Details(of: image))
    return changes.reduce(undressed) { $1.applied(to: $0) }
  }
}
