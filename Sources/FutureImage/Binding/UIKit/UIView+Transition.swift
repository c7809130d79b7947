#if canImport(UIKit) || canImport(UIKitStandIn)
extension FutureImage.Presentation {
  /// The way in which one image replaces another.
  public enum Transition {
    /// An animation with UIKit's options, and its duration in seconds.
    case animated(UIView.AnimationOptions, seconds: TimeInterval)
    /// A closure with two arguments: the view, and the closure `change`, which sets the image. The app's closure must call `change`, either
    /// immediately or later.
    case custom(@MainActor (UIView, _ change: @escaping @MainActor () -> Void) -> Void)

    /// A cross-dissolve from one image to the other. The view receives touches meanwhile.
    /// - Parameter seconds: the duration. A tenth of a second is visible, but does not make people wait.
    public static func fade(seconds: TimeInterval = 0.1) -> Transition {
      .animated([.transitionCrossDissolve, .allowUserInteraction], seconds: seconds)
    }
  }
}

extension FutureImage.Presentation.Transition {
  /// Runs the transition in the view. The change is the closure that puts the image into the view.
  @MainActor func run(in view: PlatformView, _ change: @escaping @MainActor () -> Void) {
    switch self {
    case .animated(let options, let seconds): UIView.transition(with: view, duration: seconds, options: options, animations: change)
    case .custom(let body): body(view, change)
    }
  }
}
#endif
