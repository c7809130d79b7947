extension FutureImage {
  /// Reasons to limit traffic on a network.
  ///
  /// On Apple's platforms, the system reports these traits. On other platforms, the app sets them in ``Loader/network``.
  public struct NetworkTraits: OptionSet, Sendable, Hashable {
    /// The user has chosen to save data, in Low Data Mode or in the app.
    public static let constrained = NetworkTraits(rawValue: 1)
    /// A metered network, such as cellular or a personal hotspot.
    public static let expensive = NetworkTraits(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
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
