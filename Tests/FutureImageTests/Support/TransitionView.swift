import FutureImage

/// An image view that notes the transitions it is asked for, and makes them at once.
@MainActor final class TransitionView: UIImageView {
  struct Transition: Equatable {
    let options: UIView.AnimationOptions
    let seconds: TimeInterval
  }

  private(set) var transitions: [Transition] = []

  override func runTransition(duration: TimeInterval, options: AnimationOptions, change: @escaping () -> Void) {
    transitions.append(Transition(options: options, seconds: duration))
    super.runTransition(duration: duration, options: options, change: change)
  }
}
