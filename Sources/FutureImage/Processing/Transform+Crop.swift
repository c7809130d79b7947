extension FutureImage.Transform {
  /// The part of an image that remains.
  public enum Gravity: Sendable {
    /// The part at that place, centered in a direction that the name does not mention.
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight

    /// The share of the remaining space that is to the left and above.
    fileprivate var share: Vector {
      switch self {
      case .center: [0.5, 0.5]
      case .top: [0.5, 0]
      case .bottom: [0.5, 1]
      case .left: [0, 0.5]
      case .right: [1, 0.5]
      case .topLeft: [0, 0]
      case .topRight: [1, 0]
      case .bottomLeft: [0, 1]
      case .bottomRight: [1, 1]
      }
    }
  }

  /// Crops the image to a part, along whole pixels.
  /// - Parameter rect: the part in points, from the upper left. Its area outside of the image is left out. If nothing of it lies inside, or
  ///   if it is not an area, the image is unchanged.
  public static func crop(_ rect: CGRect) -> Self {
    Self("crop to \(rect.width) × \(rect.height) points at \(rect.minX), \(rect.minY)", .frame { Frame(cropping: $0, to: rect) })
  }

  /// Crops the image to the largest part of that shape.
  ///
  ///     FutureImage(at: url, transform: .crop(toRatio: 16 / 9, .top))
  /// - Parameters:
  ///   - ratio: the width divided by the height. A ratio that is not positive and finite leaves the image unchanged.
  ///   - gravity: the position of the part in the image.
  public static func crop(toRatio ratio: CGFloat, _ gravity: Gravity = .center) -> Self {
    Self("crop to \(ratio):1, \(gravity)", .frame { Frame(cropping: $0, toRatio: Double(ratio), gravity.share) })
  }
}

extension FutureImage.Transform.Frame {
  init(cropping points: Vector, to rect: CGRect) {
    let (start, end) = (Vector(Double(rect.minX), Double(rect.minY)), Vector(Double(rect.maxX), Double(rect.maxY)))
    let origin = start.clamped(lowerBound: .zero, upperBound: points)
    let extent = end.clamped(lowerBound: .zero, upperBound: points) - origin
    // NaN is not an area, either.
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
