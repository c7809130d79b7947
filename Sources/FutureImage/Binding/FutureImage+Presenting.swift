/// What presentations add to bindings.
extension FutureImage {
  /// Brings every place that has a presentation up to the phase.
  @MainActor func present(_ phase: Phase) {
    for binding in bindings {
      guard let presented = binding.presented, binding.stands else { continue }
      if case .failed = phase, binding.step == nil {
        if presented.showsInterim { showPlaceholder(in: binding, presented) }
        showFailure(in: binding, presented)
      } else {
        presented.leaveTaps()
        if presented.showsFailure { showPlaceholder(in: binding, presented) }
      }
      presented.presentation.onPhase?(phase)
    }
  }

  @MainActor private func showFailure(in binding: Binding, _ presented: PresentedState) {
    presented.takeTaps(of: binding.place?.uiView) { [weak self, weak presented] in
      guard let self, let presented else { return }
      if bindings.contains(where: { $0.presented === presented && $0.stands }) { reload() }
    }
    guard !presented.showsFailure, let image = presented.presentation.failureImage else { return }
    presented.showsFailure = true
    replace(FutureImage(carrying: image, for: self), in: binding, presented.presentation.contentModes?.failure)
  }

  @MainActor private func showPlaceholder(in binding: Binding, _ presented: PresentedState) {
    presented.showsFailure = false
    presented.showsInterim = false
    let placeholder = presented.presentation.placeholder.map { FutureImage(carrying: $0, for: self) } ?? self
    replace(placeholder, in: binding, presented.presentation.contentModes?.placeholder)
  }

  @MainActor func replace(_ shown: UIImage, in binding: Binding, _ contentMode: UIView.ContentMode?) {
    guard bindings.contains(where: { $0 === binding }) else { return }
    let former = binding.shown
    binding.give(shown)
    show(shown, instead: former, in: binding, contentMode, .none)
  }

  /// - Parameter former: what the transition may replace: anything else was put there while it was prepared.
  @MainActor func show(
    _ image: UIImage, instead former: UIImage?, in binding: Binding, _ contentMode: UIView.ContentMode?,
    _ transition: Presentation.Transition
  ) {
    // They hold no view: a transition of the app's own may begin whenever it likes.
    let change = { @MainActor in
      guard let place = binding.place else { return }
      if let contentMode { place.uiView?.contentMode = contentMode }
      place.put(image)
    }
    let changeIfStanding = { @MainActor in if binding.place?.image === former { change() } }
    switch (transition, binding.place?.uiView) {
    case (.none, _), (_, nil): change()
    case (.animated(let options, let seconds), let view?):
      UIView.transition(with: view, duration: seconds, options: options, animations: changeIfStanding)
    case (.custom(let body), let view?): body(view, changeIfStanding)
    }
  }
}
