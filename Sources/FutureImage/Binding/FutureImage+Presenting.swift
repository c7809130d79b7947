/// What presentations add to bindings.
extension FutureImage {
  /// Brings every place that has a presentation up to the phase.
  @MainActor func present(_ phase: Phase) {
    for binding in bindings {
      guard let presented = binding.presented, binding.stands else { continue }
      if case .failed = phase, binding.step == nil {
        if presented.showsInterim { showPlaceholder(in: binding.place, presented) }
        showFailure(in: binding.place, presented)
      } else {
        presented.leaveTaps()
        if presented.showsFailure { showPlaceholder(in: binding.place, presented) }
      }
      presented.presentation.onPhase?(phase)
    }
  }

  @MainActor private func showFailure(in place: Place, _ presented: PresentedState) {
    presented.takeTaps(of: place.uiView) { [weak self, weak presented] in
      guard let self, let presented else { return }
      if bindings.contains(where: { $0.presented === presented && $0.stands }) { reload() }
    }
    guard !presented.showsFailure, let image = presented.presentation.failureImage else { return }
    presented.showsFailure = true
    replace(FutureImage(interim: image, of: self), in: place, presented.presentation.contentModes?.failure)
  }

  @MainActor private func showPlaceholder(in place: Place, _ presented: PresentedState) {
    presented.showsFailure = false
    presented.showsInterim = false
    let placeholder = presented.presentation.placeholder.map { FutureImage(interim: $0, of: self) } ?? self
    replace(placeholder, in: place, presented.presentation.contentModes?.placeholder)
  }

  @MainActor func replace(_ shown: UIImage, in place: Place, _ contentMode: UIView.ContentMode?) {
    guard let index = bindings.firstIndex(where: { $0.place.isSame(as: place) }) else { return }
    let former = bindings[index].shown
    bindings[index].give(shown)
    show(shown, instead: former, in: place, contentMode, .none)
  }

  /// - Parameter former: what the transition may replace: anything else was put there while it was prepared.
  @MainActor func show(
    _ image: UIImage, instead former: UIImage?, in place: Place, _ contentMode: UIView.ContentMode?, _ transition: Presentation.Transition
  ) {
    let change = { @MainActor in
      if let contentMode { place.uiView?.contentMode = contentMode }
      place.put(image)
    }
    let changeIfStanding = { @MainActor in if place.image === former { change() } }
    switch (transition, place.uiView) {
    case (.none, _), (_, nil): change()
    case (.animated(let options, let seconds), let view?):
      UIView.transition(with: view, duration: seconds, options: options, animations: changeIfStanding)
    case (.custom(let body), let view?): body(view, changeIfStanding)
    }
  }
}
