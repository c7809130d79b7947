extension FutureImage {
  /// A change of a picture's rendering mode or tint, which costs no pixels.
  enum Look: Sendable {
    case renderingMode(UIImage.RenderingMode)
    case tint(UIColor)
    case tintInMode(UIColor, UIImage.RenderingMode)

    func applied(to image: UIImage) -> UIImage {
      switch self {
      case .renderingMode(let mode): image.withRenderingMode(mode)
      case .tint(let color): image.withTintColor(color)
      case .tintInMode(let color, let mode): image.withTintColor(color, renderingMode: mode)
      }
    }
  }

  /// A picture as this future hands it out.
  func looking(_ image: UIImage) -> UIImage {
    guard let looks = descriptor?.looks, !looks.isEmpty else { return image }
    return looks.reduce(image) { $1.applied(to: $0) }
  }

  func looking(_ phase: Phase) -> Phase {
    if case .ready(let image) = phase { .ready(looking(image)) } else { phase }
  }

  func looking(_ result: Result<UIImage, Failure>) -> Result<UIImage, Failure> {
    if case .success(let image) = result { .success(looking(image)) } else { result }
  }
}
