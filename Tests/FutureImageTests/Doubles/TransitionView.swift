#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// An image view that records the requested transitions, and performs them at once.
@MainActor final class TransitionView: UIImageView {
  struct Transition: Equatable {
    let options: UIView.AnimationOptions
    let seconds: TimeInterval
  }

  #if canImport(UIKit)
  /// Checks nothing, because UIKit starts transitions in a class method of UIView, which no view can observe.
  func expectTransitions(_ expected: [Transition]) {}
  #else
  private var transitions: [Transition] = []

  override func runTransition(duration: TimeInterval, options: AnimationOptions, change: @escaping () -> Void) {
    transitions.append(Transition(options: options, seconds: duration))
    super.runTransition(duration: duration, options: options, change: change)
  }

  func expectTransitions(_ expected: [Transition], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(transitions == expected, sourceLocation: sourceLocation)
  }
  #endif
}
#endif
