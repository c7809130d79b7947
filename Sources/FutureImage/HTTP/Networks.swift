extension FutureImage {
  /// A reason to limit traffic on a network.
  ///
  /// On Apple's platforms, the system reports these traits. On other platforms, the app sets them in ``Loader/network``.
  public enum NetworkTrait: Sendable {
    /// The user has chosen to save data, in Low Data Mode or in the app.
    case constrained
    /// A metered network, such as cellular or a personal hotspot.
    case expensive
  }
}

/// Detects the return of a network from the states that the system reports. A pure value.
///
/// | reported | return |
/// | --- | --- |
/// | reachable, reachable | no, no |
/// | not reachable, reachable | no, yes |
struct NetworkReturns {
  private var wasReachable = true

  mutating func isReturn(isReachable: Bool) -> Bool {
    defer { wasReachable = isReachable }
    return isReachable && !wasReachable
  }
}
