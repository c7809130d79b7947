extension FutureImage {
  /// How a view shows the way of its picture.
  ///
  ///     imageView.setFutureImage(
  ///       item.photo, .init(transition: .fade(), failureImage: broken, indicator: .activity, retriesOnTap: true))
  @MainActor public struct Presentation {
    /// How the first pixels appear, if they were not there already when the future was bound. Sharper ones take their place without it.
    public var transition: Transition
    /// Shown until then, instead of the future's own placeholder.
    public var placeholder: UIImage?
    /// Shown while the picture has failed and nothing of it is here.
    public var failureImage: UIImage?
    /// The view's content mode for each of them; nil leaves it alone. When the view is bound anew, or its future is set to nil, it has the
    /// content mode again that it had before.
    public var contentModes: ContentModes?
    /// Whether the view shows what there is of the picture while its bytes come in.
    public var interims: Interims
    /// The sign in the middle of the view that the picture is loading.
    public var indicator: Indicator
    /// Whether a tap on a view whose picture failed reloads it. The view takes touches meanwhile.
    public var retriesOnTap: Bool
    /// Called with the phase when the future is bound, and with each new one while the view shows this future: for indicators outside of
    /// the view, and for whoever wants to know the end of it. Not called any more once the view shows something else, or is bound anew.
    /// Its captures are released on the main thread.
    public var onPhase: (@MainActor (Phase) -> Void)?

    public init(
      transition: Transition = .none, placeholder: UIImage? = nil, failureImage: UIImage? = nil, contentModes: ContentModes? = nil,
      interims: Interims = .none, indicator: Indicator = .none, retriesOnTap: Bool = false, onPhase: (@MainActor (Phase) -> Void)? = nil
    ) {
      self.transition = transition
      self.placeholder = placeholder
      self.failureImage = failureImage
      self.contentModes = contentModes
      self.interims = interims
      self.indicator = indicator
      self.retriesOnTap = retriesOnTap
      self.onPhase = onPhase
    }
  }
}

extension FutureImage.Presentation {
  /// How one picture takes another's place.
  public enum Transition {
    /// The picture is there at once.
    case none
    /// By UIKit's options, in seconds.
    case animated(UIView.AnimationOptions, seconds: TimeInterval)
    /// Gets the view and the change, which it is to call, now or later.
    case custom(@MainActor (UIView, _ change: @escaping @MainActor () -> Void) -> Void)

    /// One dissolves into the other. The view takes touches meanwhile.
    /// - Parameter seconds: a tenth is seen, and not waited for.
    public static func fade(seconds: TimeInterval = 0.1) -> Transition {
      .animated([.transitionCrossDissolve, .allowUserInteraction], seconds: seconds)
    }
  }

  /// What a view shows of a picture whose bytes are still coming: for large pictures on slow networks.
  ///
  ///     imageView.setFutureImage(item.photo, .init(interims: .every(.milliseconds(200))))
  ///
  /// The rows that are there, of a progressive JPEG or an interlaced picture all rows, ever finer; what has not come is transparent. They
  /// are decoded off the main thread at the size that is shown, and appear without a transition; the whole picture takes their place by
  /// the view's. If it fails or is cancelled, they give way to the placeholder or the failure image. No cache holds them, ``phase`` and
  /// ``image`` do not speak of them.
  public enum Interims: Sendable, Hashable {
    /// Nothing but the placeholder.
    case none
    /// The least time from one to the next, by the loader's clock. Each costs a decode of all bytes so far.
    case every(Duration)
  }

  /// The content mode that a view gets for each picture that it shows in the course of one.
  public struct ContentModes: Sendable {
    /// While it shows pixels of the picture itself, interims too.
    public var picture: UIView.ContentMode
    /// Until then.
    public var placeholder: UIView.ContentMode
    /// While it shows the failure image.
    public var failure: UIView.ContentMode

    public init(picture: UIView.ContentMode, placeholder: UIView.ContentMode, failure: UIView.ContentMode) {
      self.picture = picture
      self.placeholder = placeholder
      self.failure = failure
    }
  }
}
