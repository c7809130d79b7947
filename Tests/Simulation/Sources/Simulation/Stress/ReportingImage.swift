import FutureImage

/// An image of the app that reports its release.
final class ReportingImage: UIImage, @unchecked Sendable {
  // Sendable: the sentinel is written before any other code has the image.
  private var sentinel: Sentinel?

  convenience init(_ image: UIImage, _ watch: LockWatch) {
    if let pixels = image.cgImage { self.init(cgImage: pixels, scale: image.scale, orientation: .up) } else { self.init() }
    sentinel = Sentinel("an image of a memory tier", watch)
  }
}

extension StressTest.Belongings {
  /// Returns functions that create every kind of object that an app can own. The watch records a fault if an object is released inside a
  /// lock.
  static func watched(by watch: LockWatch) -> StressTest.Belongings {
    StressTest.Belongings(object: { Sentinel($0, watch) }, image: { ReportingImage($0, watch) })
  }
}
