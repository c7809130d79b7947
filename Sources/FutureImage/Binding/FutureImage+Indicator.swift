extension FutureImage.Presentation {
  /// A view that is shown in the middle of another view while the image of that view is loading.
  ///
  ///     imageView.display(item.photo, .init(indicator: .activity))
  ///
  /// The indicator is a subview that receives no touches. (On a Mac, a custom indicator receives clicks, unless its `hitTest` returns nil.)
  /// It appears when the future is bound, and remains until the first pixels of the image are shown or the image fails. A retry shows it
  /// again. Previews do not end it, and a view whose image is available at once never shows it. The indicator is removed when the view is
  /// bound to another future, when the view gets an image through ``ImageDisplaying/display(_:_:)``, or when the view's future is set to
  /// nil. If the app itself puts an image into the view, the indicator is removed in the next turn of the main thread, before the image is
  /// drawn.
  ///
  /// Only a view of UIKit or AppKit can show an indicator. A button shows the indicator in its middle, for an image of any state.
  public enum Indicator {
    /// UIKit's `UIActivityIndicatorView` of medium size, or AppKit's spinning `NSProgressIndicator` of small size, animating.
    case activity
    /// A closure, called on the main actor, that makes a new view each time. The view has its intrinsic size, or the size of its own
    /// constraints.
    case custom(@MainActor () -> FutureImage.PlatformView)
  }
}

extension FutureImage.Presentation.Indicator {
  @MainActor func makeView() -> PlatformView {
    switch self {
    case .activity: return .activityIndicator()
    case .custom(let make): return make()
    }
  }
}
