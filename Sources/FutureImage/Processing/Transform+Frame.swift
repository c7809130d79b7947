extension FutureImage.Transform {
  /// A horizontal and a vertical component.
  typealias Vector = SIMD2<Double>

  /// A part of an image, shown at a size: the change of shape by cropping and resizing.
  struct Frame: Equatable {
    /// The origin of the part, in points of the previous image.
    var origin = Vector.zero
    /// The size of the part, in points of the previous image.
    var extent: Vector
    /// The size in points, which may be larger or smaller than before.
    var size: Vector
    /// The most pixels per new point; nil if the pixels stay as they are.
    var limit: Double?
    /// Whether pixels are made up to reach the limit.
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

  /// The size in whole pixels, at least one. A hair above a whole number counts as that number, because divisions leave one.
  var pixelsUp: FutureImage.PixelSize {
    func up(_ edge: Double) -> Int { Int(Swift.max(1, Swift.min((edge - 1e-6).rounded(.up), 1e9))) }
    return FutureImage.PixelSize(width: up(x), height: up(y))
  }
}
