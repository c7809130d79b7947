#if canImport(AppKit) && !canImport(UIKit)
extension FutureImage.Presentation {
  /// The way in which one image replaces another.
  public enum Transition {
    /// A cross-dissolve from one image to the other, with its duration in seconds.
    case dissolve(seconds: TimeInterval)
    /// A closure with two arguments: the view, and the closure `change`, which sets the image. The app's closure must call `change`, either
    /// immediately or later.
    case custom(@MainActor (NSView, _ change: @escaping @MainActor () -> Void) -> Void)

    /// A cross-dissolve from one image to the other.
    /// - Parameter seconds: the duration. A tenth of a second is visible, but does not make people wait.
    public static func fade(seconds: TimeInterval = 0.1) -> Transition { .dissolve(seconds: seconds) }
  }
}

extension FutureImage.Presentation.Transition {
  /// Runs the transition in the view. The change is the closure that puts the image into the view.
  ///
  /// A dissolve needs a layer, so a view without one becomes a view with a layer.
  @MainActor func run(in view: NSView, _ change: @escaping @MainActor () -> Void) {
    switch self {
    case .dissolve(let seconds):
      view.wantsLayer = true
      let dissolve = CATransition()
      dissolve.type = .fade
      dissolve.duration = seconds
      view.layer?.add(dissolve, forKey: "FutureImage.dissolve")
      change()
    case .custom(let body): body(view, change)
    }
  }
}
#endif
