extension FutureImage.Transform {
  /// Crops the image to a part, along whole pixels.
  /// - Parameter rect: the part in points, measured from the upper left. Any area outside of the image is ignored. If no area is left, the
  ///   image is unchanged.
  public static func crop(_ rect: CGRect) -> Self {
    Self("crop to \(rect.width) × \(rect.height) points at \(rect.minX), \(rect.minY)", .frame { Frame(cropping: $0, to: rect) })
  }

  /// Crops the image to the largest part with that ratio.
  ///
  ///     FutureImage(at: url, transform: .crop(toRatio: 16 / 9, anchor: CGPoint(x: 0.5, y: 0)))
  /// - Parameters:
  ///   - ratio: the width divided by the height. A ratio that is not positive and finite leaves the image unchanged.
  ///   - anchor: the position of the part in the image: (0, 0) is the upper left, (0.5, 0.5) the middle, (1, 1) the lower right.
  ///     Coordinates outside of 0...1 are clamped.
  public static func crop(toRatio ratio: CGFloat, anchor: CGPoint = CGPoint(x: 0.5, y: 0.5)) -> Self {
    let share = Vector(anchor.x.share, anchor.y.share)
    return Self("crop to \(ratio):1 at \(share.x), \(share.y)", .frame { Frame(cropping: $0, toRatio: Double(ratio), share) })
  }
}

extension CGFloat {
  /// The share of the cut-off space that lies to the left of the part, or above it.
  fileprivate var share: Double { isNaN ? 0.5 : Double(Swift.min(Swift.max(self, 0), 1)) }
}

extension FutureImage.Transform.Frame {
  init(cropping points: Vector, to rect: CGRect) {
    let (start, end) = (Vector(Double(rect.minX), Double(rect.minY)), Vector(Double(rect.maxX), Double(rect.maxY)))
    let origin = start.clamped(lowerBound: .zero, upperBound: points)
    let extent = end.clamped(lowerBound: .zero, upperBound: points) - origin
    // An extent with NaN is not an area, either.
    if extent.isArea { self.init(origin: origin, extent: extent, size: extent) } else { self.init(extent: points, size: points) }
  }

  init(cropping points: Vector, toRatio ratio: Double, _ share: Vector) {
    let shape = Vector(ratio, 1)
    let extent = shape * (points / shape).min()
    if ratio.isFinite, extent.isArea {
      self.init(origin: (points - extent) * share, extent: extent, size: extent)
    } else {
      self.init(extent: points, size: points)
    }
  }
}
