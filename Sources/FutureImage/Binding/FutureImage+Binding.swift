extension FutureImage {
  /// One view that shows this future, and what it was last given.
  struct ViewBinding {
    weak var view: (any FutureImageBinding)?
    weak var shown: UIImage?
    /// How much of the picture that is; nil for the placeholder.
    var step: Step?
    var revision: UInt32
  }

  /// Puts into the view what there is: the picture, fewer pixels of it in a shape that holds this future, or the future itself.
  @MainActor func bind(_ view: any FutureImageBinding) {
    guard let descriptor else { return view.image = self }
    forgetViews { $0.view == nil || $0.view === view }
    let revision = state.withLock { state in
      state.isBound = true
      state.isWatched = true
      return state.revision
    }
    let need = need(of: view)
    let image = offer(need, descriptor)
    bindings.append(ViewBinding(view: view, shown: nil, step: nil, revision: revision))
    put(image, need: need, into: view, revision)
    if image.map({ $0.step < need ?? .full }) ?? true { pursue(need.map { [$0] } ?? [], restarting: true) }
  }

  /// The pixels that the view shows, as a step of the picture; nil while the picture's size is unknown.
  @MainActor private func need(of view: any FutureImageBinding) -> Step? {
    guard let natural = state.withLock({ $0.natural }) else { return nil }
    let fallback = descriptor?.loader.configuration.fallbackPixels ?? .zero
    return Step(showing: natural, view.pixelFitting ?? .fit(fallback))
  }

  /// The best that can be shown at once.
  @MainActor private func offer(_ need: Step?, _ descriptor: Descriptor) -> UIImage? {
    guard let need else { return nil }
    let (best, revision) = state.withLock { ($0.best, $0.revision) }
    if let best, best.step >= need {
      descriptor.loader.countPoolHit()
      return best
    }
    let pool = descriptor.loader.pool
    let variant = descriptor.variant(revision)
    let image = pool.image(variant, atLeast: need) ?? best ?? pool.largest(variant)
    guard let image, image !== best else { return image }
    descriptor.loader.countPoolHit()
    return adopt(image, revision, descriptor) { _ in true } ? image : nil
  }

  @MainActor private func put(_ image: UIImage?, need: Step?, into view: any FutureImageBinding, _ revision: UInt32) {
    let shown: UIImage =
      switch image {
      case nil: self
      case let image? where image.step >= need ?? .full: image
      case let image?: FutureImage(interim: image, of: self)
      }
    if let index = bindings.firstIndex(where: { $0.view === view }) {
      bindings[index].shown = shown
      bindings[index].step = image?.step
      bindings[index].revision = revision
    }
    // Last: whoever watches the view may bind something else in return.
    view.image = shown
  }

  /// Gives a picture that came to every view that still shows what this future gave it last, if it serves it better: it has more pixels
  /// where some lack, or just as many as the view needs, where it was lent the larger ones of another view.
  /// - Parameter revision: the image's: by now the picture may have been replaced, and then the newer one is still to come.
  @MainActor func show(_ image: UIImage, _ revision: UInt32) {
    for binding in bindings {
      guard let view = binding.view, let now = view.image, now === binding.shown || now === image else { continue }
      let need = need(of: view)
      if binding.revision == revision, let step = binding.step, let need {
        guard step < need && step < image.step || step > need && image.step == need else { continue }
      }
      put(image, need: need, into: view, revision)
    }
  }

  /// Measures the views, and goes after the pixels that they lack. Bytes that were kept for this are let go.
  @MainActor func pursueForViews() {
    guard let descriptor else { return }
    let (natural, revision, hadBytes) = state.withLock { ($0.natural, $0.revision, $0.encoded != nil) }
    forgetViews { binding in
      guard let now = binding.view?.image else { return true }
      return now !== binding.shown
    }
    guard natural != nil else { return }
    var steps: Set<Step> = []
    for binding in bindings {
      guard let view = binding.view, let need = need(of: view) else { continue }
      if binding.revision != revision || binding.step.map({ $0 < need }) ?? true { steps.insert(need) }
    }
    if !steps.isEmpty { pursue(steps, restarting: false) }
    state.withLock { state in
      state.isBound = !bindings.isEmpty
      if hadBytes, descriptor.disk != nil, !state.mustKeepBytes, !state.isSubstitute { state.encoded = nil }
    }
  }

  /// Asking a view for its picture may lead back here: so not while the list itself is being changed.
  @MainActor private func forgetViews(where isOver: (ViewBinding) -> Bool) {
    let current = bindings
    let over = current.filter(isOver)
    guard !over.isEmpty else { return }
    bindings.removeAll { binding in binding.view == nil || over.contains { $0.view === binding.view && $0.shown === binding.shown } }
  }
}
