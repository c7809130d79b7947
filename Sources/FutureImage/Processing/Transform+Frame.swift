extension FutureImage.Transform {
  /// A horizontal and a vertical component.
  typealias Vector = SIMD2<Double>

  /// A change of shape by cropping and resizing: a part of an image, shown at a size.
  struct Frame: Equatable {
    /// The origin of the part, in points of the previous image.
    var origin = Vector.zero
    /// The size of the part, in points of the previous image.
    var extent: Vector
    /// The size in points at which the part is shown.
    var size: Vector
    /// The maximum number of pixels for each point of `size`; nil if the pixels are not scaled.
    var limit: Double?
    /// Whether the image is enlarged with interpolated pixels to reach the limit.
    var enlarges = false
  }
}

extension FutureImage.Transform.Vector {
  init(_ size: CGSize) {
    self.init(Double(size.width), Double(size.height))
  }

  init(_ size: FutureImage.PixelSize) {
    self.init(Double(size.width), Double(size.height))
  }

  /// Whether both sides are positive and finite.
  var isArea: Bool { x > 0 && y > 0 && x.isFinite && y.isFinite }

  var cgSize: CGSize { CGSize(width: x, height: y) }

  /// The size in whole pixels, rounded up, at least one on each side. If a side exceeds a whole number only by the rounding error of a
  /// division, it counts as that number.
  var pixelsUp: FutureImage.PixelSize {
    func up(_ edge: Double) -> Int { Int(Swift.max(1, Swift.min((edge - 1e-6).rounded(.up), 1e9))) }
    return FutureImage.PixelSize(width: up(x), height: up(y))
  }
}
