import FutureImage

/// An image of the app's own, which notes its end.
final class Guest: UIImage, @unchecked Sendable {
  // Written before anybody else has it.
  private var sentinel: Sentinel?

  convenience init(_ image: UIImage, _ watch: LockWatch) {
    if let pixels = image.cgImage { self.init(cgImage: pixels, scale: image.scale, orientation: .up) } else { self.init() }
    sentinel = Sentinel("a picture of a memory tier", watch)
  }
}

extension Fair.Belongings {
  /// All that an app can own, and it is told where it dies.
  static func watched(by watch: LockWatch) -> Fair.Belongings {
    Fair.Belongings(object: { Sentinel($0, watch) }, image: { Guest($0, watch) })
  }
}
