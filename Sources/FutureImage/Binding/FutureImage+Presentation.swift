extension FutureImage {
  /// A view's options for presenting an image while it loads.
  ///
  ///     imageView.display(
  ///       item.photo, .init(transition: .fade(), failureImage: broken, indicator: .activity, retriesOnTap: true))
  @MainActor public struct Presentation {
    /// The transition to the first pixels, unless they were available when the future was bound; nil for none. Sharper pixels replace them
    /// without it.
    public var transition: Transition?
    /// The image shown until then, instead of the future's own placeholder; also where there is nothing to load, because a model's optional
    /// future is nil: its text was null, empty, or no URL.
    public var placeholder: UIImage?
    /// The image shown while the future has failed and has no pixels; also if the text of a model's future was no URL.
    public var failureImage: UIImage?
    /// The view's content mode for each of these images; nil leaves it alone. When the view is bound anew, or its future is set to nil, its
    /// former content mode is restored.
    public var contentModes: ContentModes?
    /// The least time between two previews while the bytes arrive, by the loader's clock; nil for none of them. Use it for large
    /// images on slow networks. Each costs a decode of all bytes so far.
    ///
    ///     imageView.display(item.photo, .init(previewInterval: .milliseconds(200)))
    ///
    /// A preview has the rows that have arrived; of a progressive JPEG or an interlaced image it has all rows, ever finer. Missing
    /// parts are transparent. Previews are decoded off the main thread at the size shown, and appear without a transition; the whole
    /// image replaces them with the view's transition. If it fails or is canceled, the placeholder or the failure image replaces them. No
    /// cache stores them, and ``FutureImage/FutureImage/phase`` and ``FutureImage/FutureImage/image`` do not report them.
    public var previewInterval: Duration?
    /// The indicator in the middle of the view while its image loads; nil for none.
    public var indicator: Indicator?
    /// Whether a tap on a view whose image failed reloads it. The view takes touches meanwhile.
    public var retriesOnTap: Bool
    /// A closure called with the phase when the future is bound, and with each new phase while the view shows this future. Use it for
    /// indicators outside the view, and to learn how loading ends. It is no longer called once the view shows something else, or is bound
    /// anew. Its captures are released on the main thread.
    public var onPhase: (@MainActor (Phase) -> Void)?

    public init(
      transition: Transition? = nil, placeholder: UIImage? = nil, failureImage: UIImage? = nil, contentModes: ContentModes? = nil,
      previewInterval: Duration? = nil, indicator: Indicator? = nil, retriesOnTap: Bool = false,
      onPhase: (@MainActor (Phase) -> Void)? = nil
    ) {
      self.transition = transition
      self.placeholder = placeholder
      self.failureImage = failureImage
      self.contentModes = contentModes
      self.previewInterval = previewInterval
      self.indicator = indicator
      self.retriesOnTap = retriesOnTap
      self.onPhase = onPhase
    }
  }
}

extension FutureImage.Presentation {
  /// The way in which one image replaces another.
  public enum Transition {
    /// An animation with UIKit's options, in seconds.
    case animated(UIView.AnimationOptions, seconds: TimeInterval)
    /// A closure that gets the view and the change, and must call the change, now or later.
    case custom(@MainActor (UIView, _ change: @escaping @MainActor () -> Void) -> Void)

    /// A dissolve from one image to the other. The view takes touches meanwhile.
    /// - Parameter seconds: the duration; a tenth is visible without making people wait.
    public static func fade(seconds: TimeInterval = 0.1) -> Transition {
      .animated([.transitionCrossDissolve, .allowUserInteraction], seconds: seconds)
    }
  }

  /// The content modes of a view for the images that it shows while one loads.
  public struct ContentModes: Sendable {
    /// The mode for pixels of the image itself, including previews.
    public var picture: UIView.ContentMode
    /// The mode until then.
    public var placeholder: UIView.ContentMode
    /// The mode for the failure image.
    public var failure: UIView.ContentMode

    public init(picture: UIView.ContentMode, placeholder: UIView.ContentMode, failure: UIView.ContentMode) {
      self.picture = picture
      self.placeholder = placeholder
      self.failure = failure
    }
  }
}
