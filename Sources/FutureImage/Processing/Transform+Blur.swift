extension FutureImage.Transform {
  /// Blurred evenly in all directions, as CSS and Core Image do it.
  /// - Parameter radius: the standard deviation of Gauss' bell, in points: a point's light spreads about three times as far. However large
  ///   it is, the work is the same. One that is not above 0 leaves the picture as it is.
  public static func blur(_ radius: CGFloat) -> Self {
    Self("blur of \(radius)", .pixels { $0.blurred(deviation: Double(radius * $0.scale)) })
  }
}
