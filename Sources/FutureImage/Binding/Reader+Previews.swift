/// Previews in views.
@MainActor extension Reader {
  /// Returns the pixels that views with previews need of an image of that size, and the minimum time between two previews; nil if no view
  /// needs previews. A future that already has an image shows no previews of a new image.
  /// - Parameters:
  ///   - size: the size of the arriving image.
  ///   - number: the number of the request for the bytes.
  func previewNeed(of size: FutureImage.PixelSize, _ number: UInt32) -> (pixels: Set<PixelPool.Key>, interval: Duration)? {
    guard let variant = previewVariant(number) else { return nil }
    let fullSize = variant.plan(for: size).whole
    let waiting = bindings.filter(\.awaitsPreviews)
    guard let interval = waiting.compactMap(\.interval).min() else { return nil }
    let steps = waiting.compactMap { binding in binding.place.flatMap { need(of: binding, in: $0, fullSize) } }
    return (Set(steps.map { PixelPool.Key(variant: variant, step: $0) }), interval)
  }

  func showPreview(_ image: BaseImage, _ number: UInt32) {
    guard previewVariant(number) != nil, let future = withLock(\.future) else { return }
    for binding in bindings where binding.awaitsPreviews {
      guard let place = binding.place, need(of: binding, in: place, image.naturalSize) == image.step else { continue }
      binding.presented?.showsPreview = true
      let carrier = carrier(of: applyingAppearance(to: image, in: place), for: future, in: binding)
      replace(carrier, in: binding, binding.presented?.presentation.contentModes?.image)
    }
  }

  /// Returns the variant of the previews; nil if the request was answered or canceled, or if the image has arrived.
  private func previewVariant(_ number: UInt32) -> PixelPool.Variant? {
    withLock { $0.isPending && $0.requestNumber == number && $0.fullSize == nil ? $0.variant() : nil }
  }
}

extension FutureImage.Binding {
  /// Whether the binding shows previews, and has not shown pixels of the whole image.
  @MainActor fileprivate var awaitsPreviews: Bool { interval != nil && step == nil && isCurrent }

  @MainActor fileprivate var interval: Duration? { presented?.presentation.previewInterval }
}
