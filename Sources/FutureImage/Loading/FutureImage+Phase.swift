extension FutureImage {
  /// The state of loading an image. It describes the image, never one view.
  public enum Phase: Sendable {
    /// The image is requested, and its transfer has not begun.
    case waiting
    /// The transfer has begun. The value is the fraction of the bytes that has arrived, from 0 to 1; nil if it is unknown.
    case loading(Double?)
    /// The bytes have arrived or are in a cache, but there are no pixels, because none were requested yet or the pool evicted them.
    case fetched
    /// Pixels are decoded. The value is the largest decoded image so far.
    case ready(BaseImage)
    /// The image could not be loaded. Binding the future to a view tries again, unless the loader still remembers the failure. The loader
    /// remembers a transient failure for a second at first, and a permanent failure for
    /// ``FutureImage/FutureImage/RetryPolicy/failureMemory``. ``FutureImage/reload()`` always tries again. When a network becomes available
    /// again, the loader retries transient failures of images that views show or code observes.
    case failed(Failure)

    /// Whether the image is ready or has failed. In the phase ``fetched``, pixels may follow, so it is not final.
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
