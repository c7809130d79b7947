extension FutureImage {
  /// A view's options for presenting an image while it loads.
  ///
  ///     imageView.display(
  ///       item.photo, .init(transition: .fade(), failureImage: broken, indicator: .activity, retriesOnTap: true))
  @MainActor public struct Presentation {
    /// The transition to the first pixels; nil for no transition. It does not run if pixels were available when the future was bound, or
    /// when sharper pixels replace the first pixels.
    public var transition: Transition?
    /// The image to show until the first pixels arrive, instead of the future's own placeholder. It is also shown if a model's optional
    /// future is nil. Such a future is nil if it was decoded from null, from an empty string, or from a string that is not a URL.
    public var placeholder: BaseImage?
    /// The image to show while the future has failed and has no pixels. A model's future that is not optional also fails if it was decoded
    /// from a string that is not a URL.
    public var failureImage: BaseImage?
    /// The view's content modes for pixels of the image itself, including previews; for the placeholder; and for the failure image. If nil,
    /// the content mode does not change. When the view is bound again, or its future is set to nil, its former content mode is restored.
    public var contentModes: (image: ContentMode, placeholder: ContentMode, failure: ContentMode)?
    /// The minimum time between two previews while the bytes arrive, by the loader's clock; nil for no previews. Use previews for large
    /// images on slow networks. Each preview costs a decode of all bytes that have arrived so far.
    ///
    ///     imageView.display(item.photo, .init(previewInterval: .milliseconds(200)))
    ///
    /// A preview has the rows that have arrived. For a progressive JPEG or an interlaced image, it has all rows, and each preview is finer
    /// than the one before it. Missing parts are transparent. Previews are decoded off the main thread at the size shown, and appear
    /// without a transition. The whole image replaces the last preview with the view's transition. If the image fails or is canceled, the
    /// placeholder or the failure image replaces the preview. No cache stores previews, and ``FutureImage/FutureImage/phase`` and
    /// ``FutureImage/FutureImage/image`` do not report them.
    public var previewInterval: Duration?
    /// The indicator in the middle of the view while its image loads; nil for no indicator.
    public var indicator: Indicator?
    /// Whether a tap on the view reloads an image that has failed. While the image has failed, the view receives touches.
    public var retriesOnTap: Bool
    /// A closure that is called with the phase when the future is bound, and with each new phase while the view shows this future. Use it
    /// for indicators outside the view, and to react when loading ends. It is not called after the view shows something else or is bound
    /// again. Its captures are released on the main thread.
    public var onPhase: (@MainActor (Phase) -> Void)?

    public init(
      transition: Transition? = nil, placeholder: BaseImage? = nil, failureImage: BaseImage? = nil,
      contentModes: (image: ContentMode, placeholder: ContentMode, failure: ContentMode)? = nil,
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
