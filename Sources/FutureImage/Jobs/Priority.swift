extension FutureImage {
  /// The order in which images that are requested for the same reason are loaded.
  public enum Priority: Sendable, Comparable {
    /// After all others.
    case low
    /// In the order of the requests; among images that views show, the latest first.
    case normal
    /// Before all others.
    case high
  }
}
