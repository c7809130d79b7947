/// The presentations of bindings.
extension FutureImage {
  /// Updates every place that has a presentation to the phase.
  @MainActor func present(_ phase: Phase) {
    for binding in bindings { present(phase, in: binding) }
  }

  /// Updates one place to the phase. At each step the place may be bound to another future: by a callback of another place, or by the view
  /// itself when it is given an image.
  @MainActor func present(_ phase: Phase, in binding: Binding) {
    guard let presented = binding.presented, binding.stands else { return }
    presentIndicator(phase, in: binding, presented)
    guard binding.stands else { return }
    if case .failed = phase, binding.step == nil {
      if presented.showsInterim { showPlaceholder(in: binding, presented) }
      showFailure(in: binding, presented)
    } else {
      presented.look.leaveTaps()
      if presented.showsFailure { showPlaceholder(in: binding, presented) }
    }
    if binding.stands { presented.presentation.onPhase?(phase) }
  }

  @MainActor private func presentIndicator(_ phase: Phase, in binding: Binding, _ presented: PresentedState) {
    if binding.step == nil, !phase.isFinal, let view = binding.place?.uiView {
      presented.look.showIndicator(in: view) { presented.presentation.indicator?.makeView() }
    } else {
      presented.look.leaveIndicator()
    }
  }

  @MainActor private func showFailure(in binding: Binding, _ presented: PresentedState) {
    guard binding.stands else { return }
    presented.takeTaps(of: binding.place?.uiView) { [weak self, weak presented] in
      guard let self, let presented else { return }
      if bindings.contains(where: { $0.presented === presented && $0.stands }) { reload() }
    }
    guard !presented.showsFailure, let image = presented.presentation.failureImage else { return }
    presented.showsFailure = true
    replace(carrier(of: image, in: binding), in: binding, presented.presentation.contentModes?.failure)
  }

  @MainActor private func showPlaceholder(in binding: Binding, _ presented: PresentedState) {
    presented.showsFailure = false
    presented.showsInterim = false
    replace(placeholder(in: binding), in: binding, presented.presentation.contentModes?.placeholder)
  }

  /// The placeholder of the place, which identifies this future there.
  @MainActor func placeholder(in binding: Binding) -> UIImage {
    guard let presentation = binding.presented?.presentation else { return token }
    guard presentation.changesView || presentation.placeholder != nil else { return token }
    return carrier(of: presentation.placeholder ?? borrowed?.original, in: binding)
  }

  @MainActor func replace(_ shown: UIImage, in binding: Binding, _ contentMode: UIView.ContentMode?) {
    guard binding.stands, bindings.contains(where: { $0 === binding }) else { return }
    let former = binding.shown
    binding.give(shown)
    show(shown, instead: former, in: binding, contentMode: contentMode, transition: nil)
  }

  /// - Parameter former: the only image that the transition may replace: any other was put there while the transition was prepared.
  @MainActor func show(
    _ image: UIImage, instead former: UIImage?, in binding: Binding, contentMode: UIView.ContentMode?,
    transition: Presentation.Transition?
  ) {
    // The closures retain no view, because a transition of the app may begin at any time.
    let change = { @MainActor in
      guard let place = binding.place, !binding.isOver else { return }
      if let contentMode, let view = place.uiView { binding.presented?.look.setContentMode(contentMode, of: view) }
      place.put(image)
    }
    let changeIfStanding = { @MainActor in if binding.place?.image === former { change() } }
    switch (transition, binding.place?.uiView) {
    case (nil, _), (_, nil): change()
    case (.animated(let options, let seconds)?, let view?):
      UIView.transition(with: view, duration: seconds, options: options, animations: changeIfStanding)
    case (.custom(let body)?, let view?):
      binding.presented?.outgoing = former
      body(view, changeIfStanding)
    }
  }
}

extension FutureImage.Presentation {
  /// Whether it changes more of a view than its image.
  var changesView: Bool { indicator != nil || contentModes != nil || retriesOnTap }
}
