extension FutureImage.Transform {
  /// The size of an image after its transform, and the size at which the untransformed image must be decoded.
  ///
  /// A view compares its own size with the size of the result, so a ``DecodeStep`` is a fraction of the transformed image, and not of the
  /// original image. In the table, a resized image has 3 pixels per point, which is the default.
  ///
  /// | image | transform | whole result | shown in 300 × 300 | needed | decoded |
  /// | --- | --- | --- | --- | --- | --- |
  /// | 1200 × 900 | none | 1200 × 900 | 3/8 (fill) | 450 × 338 | 450 × 338 |
  /// | 1200 × 900 | circle | 900 × 900 | 3/8 (fit or fill) | 338 × 338 | 450 × 338 |
  /// | 3000 × 2000 | fill 100 × 100 points | 300 × 300 | 8/8 | 300 × 300 | 750 × 500 |
  /// | 3000 × 2000 | fill 50 × 50 points | 150 × 150 | 8/8 | 150 × 150 | 375 × 250 |
  struct Plan: Sendable {
    private struct Shape {
      /// The size in points.
      var size: Vector
      /// The pixels per point, if the image is decoded in full.
      var density: Vector
      /// The factors by which the effect that led to this shape has enlarged lengths in points.
      var zoom = Vector.one
    }

    private let fullSize: FutureImage.PixelSize
    /// The shape before the first effect, and the shape after each effect. If there is only one shape, there are no effects.
    private let shapes: [Shape]

    /// - Parameters:
    ///   - fullSize: the size of the untransformed image in pixels.
    ///   - points: the same size in points. If it is not known or not an area, each pixel counts as a point.
    init(_ transform: FutureImage.Transform?, fullSize: FutureImage.PixelSize, points: CGSize?) {
      self.fullSize = fullSize
      let pixels = Vector(fullSize)
      let size = points.map { Vector($0) }.flatMap { $0.isArea ? $0 : nil } ?? pixels
      var shapes = [Shape(size: size, density: pixels / size)]
      for effect in transform?.links.flatMap(\.effects) ?? [] {
        var shape = shapes[shapes.count - 1]
        shape.zoom = .one
        if case .frame(let framing) = effect {
          let frame = framing(shape.size)
          shape.size = frame.size
          shape.zoom = frame.size / frame.extent
          shape.density /= shape.zoom
          if let limit = frame.limit {
            let limit = Vector(repeating: limit)
            shape.density = frame.enlarges ? limit : pointwiseMin(shape.density, limit)
          }
        }
        shapes.append(shape)
      }
      self.shapes = shapes
    }

    /// The size of the whole transformed image in pixels.
    var whole: FutureImage.PixelSize {
      let last = shapes[shapes.count - 1]
      return (last.size * last.density).pixelsUp
    }

    /// The size of the transformed image in points.
    var points: Vector { shapes[shapes.count - 1].size }

    /// The size of the untransformed image in points.
    var startPoints: Vector { shapes[0].size }

    /// Returns the size in pixels at which to decode the untransformed image.
    func decoded(at step: DecodeStep) -> FutureImage.PixelSize {
      guard shapes.count > 1 else { return step.size(of: fullSize) }
      let needed = densities(at: step)[0] / shapes[0].density
      return DecodeStep(fraction: needed.max()).size(of: fullSize)
    }

    /// Returns the pixels per point that are needed before the first effect and after each effect, so that the last effect yields the
    /// pixels of the step.
    func densities(at step: DecodeStep) -> [Vector] {
      var needed = shapes[shapes.count - 1].density * step.fraction
      var all = [needed]
      for index in shapes.indices.dropFirst().reversed() {
        needed = pointwiseMin(needed * shapes[index].zoom, shapes[index - 1].density)
        all.append(needed)
      }
      return all.reversed()
    }
  }

  /// Returns the size in points that an image of the given size has after the transform. It excludes changes by custom steps, which are not
  /// known beforehand.
  func size(of points: CGSize) -> CGSize {
    guard Vector(points).isArea else { return points }
    return Plan(self, fullSize: Vector(points).pixelsUp, points: points).points.cgSize
  }
}
