extension FutureImage.Transform {
  /// Blurs the image evenly in all directions, as CSS and Core Image do.
  /// - Parameter radius: the standard deviation of the Gaussian, in points: the light of a point spreads about three times as far. The
  ///   radius does not affect the cost. A radius that is not above 0 leaves the image unchanged.
  public static func blur(_ radius: CGFloat) -> Self {
    Self("blur of \(radius)", .pixels { $0.blurred(deviation: Double(radius * $0.scale)) })
  }
}
