/// What views show of a picture whose bytes are still coming.
extension FutureImage {
  /// What the views that show interims need of a picture of that size, and the least time between two; nil if there is none.
  /// - Parameters:
  ///   - size: of the picture as it comes.
  ///   - request: for the bytes. A picture that is here already is not shown in parts of a new one.
  @MainActor func interimNeed(of size: PixelSize, _ request: LoadRequest) -> (pixels: Set<PixelPool.Key>, interval: Duration)? {
    guard let descriptor, let variant = interimVariant(descriptor, request) else { return nil }
    let natural = variant.plan(for: size).whole
    let waiting = bindings.filter(\.awaitsInterims)
    guard let interval = waiting.compactMap(\.interval).min() else { return nil }
    let steps = waiting.compactMap { binding in binding.place.flatMap { need(of: binding, in: $0, natural) } }
    return (Set(steps.map { PixelPool.Key(variant: variant, step: $0) }), interval)
  }

  @MainActor func showInterim(_ image: UIImage, _ request: LoadRequest) {
    guard let descriptor, interimVariant(descriptor, request) != nil else { return }
    for binding in bindings where binding.awaitsInterims {
      guard let place = binding.place, need(of: binding, in: place, image.naturalSize) == image.step else { continue }
      binding.presented?.showsInterim = true
      let carrier = carrier(of: applyingAppearance(to: image))
      replace(carrier, in: binding, binding.presented?.presentation.contentModes?.picture)
    }
  }

  /// Nil where the wish was answered or given up, or the picture is here.
  private func interimVariant(_ descriptor: Descriptor, _ request: LoadRequest) -> PixelPool.Variant? {
    state.withLock { state in
      state.wish.request == request && state.natural == nil ? descriptor.variant(state.revision) : nil
    }
  }
}

extension FutureImage.Binding {
  /// Whether it shows interims, and nothing else of the picture.
  @MainActor fileprivate var awaitsInterims: Bool { interval != nil && step == nil && stands }

  @MainActor fileprivate var interval: Duration? {
    if case .every(let interval) = presented?.presentation.interims { interval } else { nil }
  }
}
