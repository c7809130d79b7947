import FutureImage

/// An image of the app that reports the end of its life.
final class ReportingImage: UIImage, @unchecked Sendable {
  // Written before any other code has the image.
  private var sentinel: Sentinel?

  convenience init(_ image: UIImage, _ watch: LockWatch) {
    if let pixels = image.cgImage { self.init(cgImage: pixels, scale: image.scale, orientation: .up) } else { self.init() }
    sentinel = Sentinel("an image of a memory tier", watch)
  }
}

extension StressTest.Belongings {
  /// Objects of every kind that an app can own. The watch learns where each is released.
  static func watched(by watch: LockWatch) -> StressTest.Belongings {
    StressTest.Belongings(object: { Sentinel($0, watch) }, image: { ReportingImage($0, watch) })
  }
}
