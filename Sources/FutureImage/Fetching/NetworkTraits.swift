extension FutureImage {
  /// What is to be said against loading much over a network.
  ///
  /// On Apple's platforms the system knows. Elsewhere the app says so, by ``Loader/network``.
  public struct NetworkTraits: OptionSet, Sendable, Hashable {
    /// People asked for few data, by Low Data Mode or in the app.
    public static let constrained = NetworkTraits(rawValue: 1)
    /// It costs money or runs over somebody's telephone.
    public static let expensive = NetworkTraits(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }
  }
}
