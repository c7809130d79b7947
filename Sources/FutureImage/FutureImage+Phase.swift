extension FutureImage {
  /// How far a picture is. It speaks of the picture, never of one view.
  public enum Phase: Sendable {
    /// Its bytes are asked for; nothing has come yet.
    case waiting
    /// Its bytes are coming: how much of them is here, from 0 to 1, where that is known.
    case loading(Double?)
    /// Its bytes are here or in a cache, and no pixels: nobody asked for them yet, or the pool let them go.
    case fetched
    /// The largest decode so far.
    case ready(UIImage)
    /// It will not come by itself. Binding it to a view tries again, unless the failure is permanent; ``FutureImage/reload()`` always
    /// does.
    case failed(Failure)

    /// Whether nothing more will happen by itself.
    public var isFinal: Bool {
      switch self {
      case .ready, .failed: true
      case .waiting, .loading, .fetched: false
      }
    }
  }
}
