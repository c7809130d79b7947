extension FutureImage {
  /// The state of loading an image. It describes the image, never one view.
  public enum Phase: Sendable {
    /// The bytes are requested, and none have arrived.
    case waiting
    /// The bytes are arriving. The value is the fraction that has arrived, from 0 to 1; nil if it is unknown.
    case loading(Double?)
    /// The bytes have arrived or are in a cache, but there are no pixels, because none were requested yet or the pool evicted them.
    case fetched
    /// The largest decoded image so far.
    case ready(BaseImage)
    /// The image will not load by itself. Binding the future to a view tries again, unless the failure is permanent.
    /// ``FutureImage/reload()`` always tries again.
    case failed(Failure)

    /// Whether the phase does not change by itself.
    public var isFinal: Bool {
      switch self {
      case .ready, .failed: true
      case .waiting, .loading, .fetched: false
      }
    }
  }
}

extension FutureImage.Phase {
  /// Whether the phase changes only after a new request.
  var isSettled: Bool {
    if case .fetched = self { true } else { isFinal }
  }
}
