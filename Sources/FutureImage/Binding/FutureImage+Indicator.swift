extension FutureImage.Presentation {
  /// A view in the middle of another one that says that its picture is loading.
  ///
  ///     imageView.setFutureImage(item.photo, .init(indicator: .activity))
  ///
  /// It is a subview that takes no touches. It is there from the moment when the future is bound until the first pixels of the picture are
  /// shown or the picture fails, and again from a retry on. Interims do not end it, and a view whose picture is there at once never gets
  /// one. It goes when the view is bound to another future, is given an image by ``FutureImageBinding/display(_:)``, or its future is set
  /// to nil. If the app itself puts an image into the view, it goes with the next change of the future.
  ///
  /// Only a `UIView` gets one. On a button it is in the middle of the button, for whichever state the picture is.
  public enum Indicator {
    /// None.
    case none
    /// UIKit's `UIActivityIndicatorView` of medium size, animating.
    case activity
    /// A view of the app's, made anew each time, on the main actor. Its size is its intrinsic one, or that of its own constraints.
    case custom(@MainActor () -> UIView)
  }
}

extension FutureImage.Presentation.Indicator {
  /// Nil for none.
  @MainActor func makeView() -> UIView? {
    switch self {
    case .none: return nil
    case .activity:
      let view = UIActivityIndicatorView(style: .medium)
      view.startAnimating()
      return view
    case .custom(let make): return make()
    }
  }
}
