/// The presentations of bindings, and the images that represent the future in a place.
@MainActor extension Reader {
  /// Updates a place that has a presentation, so that the place shows the phase. At each step, other code may bind the place to another
  /// future: a callback of another place, or the view itself when it gets an image. So later steps check that the binding is still current.
  func present(_ phase: FutureImage.Phase, of future: FutureImage?, in binding: FutureImage.Binding) {
    guard let presented = binding.presented, binding.isCurrent else { return }
    if binding.step == nil, !phase.isFinal, let view = binding.place?.platformView {
      presented.look.showIndicator(in: view) { presented.presentation.indicator?.makeView() }
    } else {
      presented.look.removeIndicator()
    }
    guard binding.isCurrent else { return }
    if case .failed = phase, binding.step == nil {
      if presented.showsPreview { showPlaceholder(of: future, in: binding, presented) }
      showFailure(of: future, in: binding, presented)
    } else {
      presented.look.removeTap()
      if presented.showsFailure { showPlaceholder(of: future, in: binding, presented) }
    }
    if binding.isCurrent { presented.presentation.onPhase?(phase) }
  }

  private func showFailure(of future: FutureImage?, in binding: FutureImage.Binding, _ presented: PresentedState) {
    guard binding.isCurrent else { return }
    if presented.presentation.retriesOnTap, let view = binding.place?.platformView {
      presented.look.retryOnTap(of: view) { [weak self, weak future, weak presented] in
        guard let self, let presented, future != nil else { return }
        if bindings.contains(where: { $0.presented === presented && $0.isCurrent }) { descriptor.loader.reload(self) }
      }
    }
    guard !presented.showsFailure, let image = presented.presentation.failureImage else { return }
    presented.showsFailure = true
    replace(carrier(of: image, for: future, in: binding), in: binding, presented.presentation.contentModes?.failure)
  }

  private func showPlaceholder(of future: FutureImage?, in binding: FutureImage.Binding, _ presented: PresentedState) {
    presented.showsFailure = false
    presented.showsPreview = false
    replace(placeholder(of: future, in: binding), in: binding, presented.presentation.contentModes?.placeholder)
  }

  /// Returns the image for a place while no pixels are available. This is the future, which looks like its placeholder. If the presentation
  /// has its own placeholder, or changes more of the view than its image, this is a carrier. If the future is gone, this is the
  /// presentation's placeholder or an image without pixels.
  func placeholder(of future: FutureImage?, in binding: FutureImage.Binding) -> BaseImage {
    let presentation = binding.presented?.presentation
    guard let presentation, presentation.changesView || presentation.placeholder != nil else { return future ?? BaseImage() }
    return carrier(of: presentation.placeholder ?? future?.borrowed?.original, for: future, in: binding)
  }

  /// Returns a carrier, which shows the given image and retains the future in the place. If the future is gone, returns the given image. If
  /// the binding has a presentation that changes the view, the presentation ends in the turn after the app has put another image into the
  /// view. UIKit does not report such a change, but the view then releases the carrier.
  func carrier(of image: BaseImage?, for future: FutureImage?, in binding: FutureImage.Binding) -> BaseImage {
    guard let future else { return image ?? BaseImage() }
    guard let presented = binding.presented, presented.presentation.changesView, let place = binding.place else {
      return FutureImage(carrying: image, for: future)
    }
    let (weakPlace, look) = (WeakPlace(place), presented.look)
    return FutureImage(carrying: image, for: future) {
      // The place may still show the last image of the binding after the binding is gone.
      guard let place = weakPlace.place, look.shown == nil || place.image !== look.shown else { return }
      BoundPlaces.shared.end(place, ifChangedBy: look)
    }
  }

  func replace(_ shown: BaseImage, in binding: FutureImage.Binding, _ contentMode: FutureImage.ContentMode?) {
    guard binding.isCurrent, bindings.contains(where: { $0 === binding }) else { return }
    present(shown, to: binding, contentMode: contentMode, transition: nil)
  }

  /// Records the image as the next image of a binding that may have a presentation, and shows it.
  func present(
    _ image: BaseImage, to binding: FutureImage.Binding, contentMode: FutureImage.ContentMode?,
    transition: FutureImage.Presentation.Transition?
  ) {
    let former = binding.shown
    binding.willShow(image)
    // The closures retain no view, because a transition of the app may retain the closures for any length of time.
    let change = { @MainActor in
      guard let place = binding.place, !binding.hasEnded else { return }
      if let contentMode, let view = place.platformView { binding.presented?.look.setContentMode(contentMode, of: view) }
      place.put(image)
    }
    // Nothing changes if another image was put into the place while the transition was prepared.
    let changeIfCurrent = { @MainActor in if binding.place?.image === former { change() } }
    switch (transition, binding.place?.platformView) {
    case (nil, _), (_, nil): change()
    case (let transition?, let view?):
      if case .custom = transition { binding.presented?.outgoing = former }
      transition.run(in: view, changeIfCurrent)
    }
  }
}

extension Reader {
  /// Returns the image in the appearance that it has in the place. This is the future's own appearance or, if the future has none, the
  /// rendering mode of the place.
  @MainActor func applyingAppearance(to image: BaseImage, in place: Place) -> BaseImage {
    let mode = place.renderingMode
    guard mode != .automatic, descriptor.appearance == nil else { return applyingAppearance(to: image) }
    return applying(FutureImage.Appearance(changes: [.renderingMode(mode)]), to: image)
  }
}

extension FutureImage.Presentation {
  /// Whether the presentation changes more of a view than its image.
  fileprivate var changesView: Bool { indicator != nil || contentModes != nil || retriesOnTap }
}
