extension Reader {
  /// Returns the image in this future's appearance.
  func applyingAppearance(to image: BaseImage) -> BaseImage {
    guard let appearance = descriptor.appearance else { return image }
    return applying(appearance, to: image)
  }

  /// Returns the image in an appearance. Consecutive calls with the same arguments return the same object as long as something retains it.
  func applying(_ appearance: FutureImage.Appearance, to image: BaseImage) -> BaseImage {
    // The image is returned from the lock, so that it is not released inside the lock.
    let known = withLock(\.inAppearance)
    if let known, known.details?.origin.original === image, known.renderingMode == appearance.renderingMode ?? known.renderingMode {
      return known
    }
    let inAppearance = DecodedImage.inAppearance(image, appearance.changes)
    withLock { $0.inAppearance = inAppearance as? DecodedImage }
    return inAppearance
  }

  func applyingAppearance(to phase: FutureImage.Phase) -> FutureImage.Phase {
    if case .ready(let image) = phase { .ready(applyingAppearance(to: image)) } else { phase }
  }

  func applyingAppearance(to result: Result<BaseImage, FutureImage.Failure>) -> Result<BaseImage, FutureImage.Failure> {
    if case .success(let image) = result { .success(applyingAppearance(to: image)) } else { result }
  }
}
