/// Interim images in views.
@MainActor extension Reader {
  /// Returns the pixels that views with interim images need of an image of that size, and the least time between two; nil if there is none.
  /// - Parameters:
  ///   - size: the size of the arriving image.
  ///   - number: the number of the request for the bytes. A future that already has an image shows no interim images of a new one.
  func interimNeed(of size: FutureImage.PixelSize, _ number: UInt32) -> (pixels: Set<PixelPool.Key>, interval: Duration)? {
    guard let variant = interimVariant(number) else { return nil }
    let natural = variant.plan(for: size).whole
    let waiting = bindings.filter(\.awaitsInterims)
    guard let interval = waiting.compactMap(\.interval).min() else { return nil }
    let steps = waiting.compactMap { binding in binding.place.flatMap { need(of: binding, in: $0, natural) } }
    return (Set(steps.map { PixelPool.Key(variant: variant, step: $0) }), interval)
  }

  func showInterim(_ image: UIImage, _ number: UInt32) {
    guard interimVariant(number) != nil, let future = withLock(\.future) else { return }
    for binding in bindings where binding.awaitsInterims {
      guard let place = binding.place, need(of: binding, in: place, image.naturalSize) == image.step else { continue }
      binding.presented?.showsInterim = true
      let carrier = carrier(of: applyingAppearance(to: image, in: place), for: future, in: binding)
      replace(carrier, in: binding, binding.presented?.presentation.contentModes?.picture)
    }
  }

  /// Returns nil if the request was answered or canceled, or the image has arrived.
  private func interimVariant(_ number: UInt32) -> PixelPool.Variant? {
    withLock { $0.isPending && $0.requestNumber == number && $0.natural == nil ? $0.variant() : nil }
  }
}

extension FutureImage.Binding {
  /// Whether the binding shows interim images, and nothing else of the image.
  @MainActor fileprivate var awaitsInterims: Bool { interval != nil && step == nil && stands }

  @MainActor fileprivate var interval: Duration? { presented?.presentation.interimInterval }
}
