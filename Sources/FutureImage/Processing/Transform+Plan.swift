extension FutureImage.Transform {
  /// How large a picture becomes by its transform, and how much of it must be decoded for that.
  ///
  /// A view measures itself against what comes out, so a ``Step`` is one of the transformed picture.
  ///
  /// | picture | transform | comes out whole | shown in 300 × 300 | needed | decoded |
  /// | --- | --- | --- | --- | --- | --- |
  /// | 1200 × 900 | none | 1200 × 900 | 3/8 (fill) | 450 × 338 | 450 × 338 |
  /// | 1200 × 900 | circle | 900 × 900 | 3/8 (fit or fill) | 338 × 338 | 450 × 338 |
  /// | 3000 × 2000 | fill 100 × 100 points | 300 × 300 | 8/8 | 300 × 300 | 750 × 500 |
  /// | 3000 × 2000 | fill 50 × 50 points | 150 × 150 | 8/8 | 150 × 150 | 375 × 250 |
  struct Plan: Sendable {
    private struct Shape {
      /// In points.
      var size: Vector
      /// Pixels a point, if the picture is decoded whole.
      var density: Vector
      /// By how much a point was enlarged, to come here.
      var zoom = Vector.one
    }

    private let natural: FutureImage.PixelSize
    /// Before the first effect and after each; one alone means that there are none.
    private let shapes: [Shape]

    /// - Parameters:
    ///   - natural: the untransformed picture's size in pixels.
    ///   - points: the same in points, if that is known and sensible.
    init(_ transform: FutureImage.Transform?, natural: FutureImage.PixelSize, points: CGSize?) {
      self.natural = natural
      let pixels = Vector(natural)
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

    /// The whole transformed picture's size in pixels.
    var whole: FutureImage.PixelSize {
      let last = shapes[shapes.count - 1]
      return (last.size * last.density).pixelsUp
    }

    /// The transformed picture's size in points.
    var points: Vector { shapes[shapes.count - 1].size }

    /// The untransformed picture's size in points.
    var startPoints: Vector { shapes[0].size }

    /// To what size in pixels the untransformed picture is to be decoded.
    func decoded(at step: Step) -> FutureImage.PixelSize {
      guard shapes.count > 1 else { return step.size(of: natural) }
      let needed = densities(at: step)[0] / shapes[0].density
      return Step(fraction: needed.max()).size(of: natural)
    }

    /// How many pixels a point are needed before the first effect and after each, so that the last gives those of the step.
    func densities(at step: Step) -> [Vector] {
      var needed = shapes[shapes.count - 1].density * step.fraction
      var all = [needed]
      for index in shapes.indices.dropFirst().reversed() {
        needed = pointwiseMin(needed * shapes[index].zoom, shapes[index - 1].density)
        all.append(needed)
      }
      return all.reversed()
    }
  }

  /// What a picture of that size in points becomes, as far as that is known beforehand.
  func size(of points: CGSize) -> CGSize {
    guard Vector(points).isArea else { return points }
    return Plan(self, natural: Vector(points).pixelsUp, points: points).points.cgSize
  }
}
