extension FutureImage.Transform {
  /// Across and down.
  typealias Vector = SIMD2<Double>

  /// A part of a picture, shown at a size: what cropping and resizing do to the shape.
  struct Frame: Equatable {
    /// Of the part, in points of the picture before.
    var origin = Vector.zero
    /// Of the part, in points of the picture before.
    var extent: Vector
    /// In points: a point may have become larger or smaller.
    var size: Vector
    /// The most pixels for each of the new points; nil where pixels stay as they are.
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

  /// Neither nothing nor nonsense.
  var isArea: Bool { x > 0 && y > 0 && x.isFinite && y.isFinite }

  var cgSize: CGSize { CGSize(width: x, height: y) }

  /// Whole pixels, at least one. A hair above a whole number is taken for it: divisions leave one.
  var pixelsUp: FutureImage.PixelSize {
    func up(_ edge: Double) -> Int { Int(Swift.max(1, Swift.min((edge - 1e-6).rounded(.up), 1e9))) }
    return FutureImage.PixelSize(width: up(x), height: up(y))
  }
}
