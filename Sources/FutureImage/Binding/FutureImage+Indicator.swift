extension FutureImage.Presentation {
  /// A view in the middle of another one, shown while its image is loading.
  ///
  ///     imageView.display(item.photo, .init(indicator: .activity))
  ///
  /// It is a subview that takes no touches. It appears when the future is bound, and remains until the first pixels of the image are shown
  /// or the image fails. A retry shows it again. Previews do not end it, and a view whose image is available at once never gets one.
  /// It is removed when the view is bound to another future, is given an image by ``ImageDisplaying/display(_:_:)``, or its future is
  /// set to nil. If the app itself puts an image into the view, it is removed in the next turn of the main thread, before that is drawn.
  ///
  /// Only a `UIView` gets one. On a button it is in the middle of the button, whichever state the image is for.
  public enum Indicator {
    /// UIKit's `UIActivityIndicatorView` of medium size, animating.
    case activity
    /// A view that the app makes anew each time, on the main actor. Its size is its intrinsic size, or that of its own constraints.
    case custom(@MainActor () -> UIView)
  }
}

extension FutureImage.Presentation.Indicator {
  @MainActor func makeView() -> UIView {
    switch self {
    case .activity:
      let view = UIActivityIndicatorView(style: .medium)
      view.startAnimating()
      return view
    case .custom(let make): return make()
    }
  }
}
