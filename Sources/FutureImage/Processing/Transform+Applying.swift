extension FutureImage.Transform {
  /// Applies the transform to a bitmap.
  /// - Parameters:
  ///   - bitmap: the image, decoded as the plan requires for the decode step.
  ///   - scale: the pixels of the bitmap per point.
  /// - Returns: the result, its pixels per point, and its exact size in points.
  func apply(
    to bitmap: CGImage, scale: CGFloat, _ plan: Plan, at step: DecodeStep
  ) throws(FutureImage.Failure) -> (image: CGImage, scale: CGFloat, points: CGSize) {
    guard let buffer = FutureImage.PixelBuffer(bitmap, scale: scale) else {
      throw FutureImage.Failure(.transformFailed("its pixels cannot be read; release memory and try again"))
    }
    let (changed, points) = try apply(to: buffer, plan, at: step)
    guard let image = changed.makeImage() else {
      throw FutureImage.Failure(.transformFailed("there is not enough memory for the result; release memory, or request fewer pixels"))
    }
    return (image, changed.scale, points)
  }

  /// - Parameters:
  ///   - buffer: the image, decoded as the plan requires for the decode step.
  /// - Returns: the result, and its exact size in points. The pixels divided by the scale may differ from this size by a rounding error.
  func apply(
    to buffer: FutureImage.PixelBuffer, _ plan: Plan, at step: DecodeStep
  ) throws(FutureImage.Failure) -> (buffer: FutureImage.PixelBuffer, points: CGSize) {
    var canvas = Canvas(buffer: buffer, points: plan.startPoints)
    let densities = plan.densities(at: step)
    var done = 0
    for link in links {
      do {
        for effect in link.effects {
          done += 1
          switch effect {
          case .pixels(let body): canvas.change(try draining { try body(canvas.buffer) })
          case .frame(let framing): try canvas.show(framing(canvas.points), density: densities[done])
          }
        }
      } catch {
        throw FutureImage.Failure(.transformFailed("\(link.name)\(Self.clause(error))"), underlying: error)
      }
    }
    return (canvas.buffer, canvas.points.cgSize)
  }

  /// Returns the end of the message about a failed step of a transform. The errors of the library's own steps, and failures that steps
  /// throw, already state the remedy.
  private static func clause(_ error: any Error) -> String {
    error is Obstacle || error is FutureImage.Failure ? ": \(error.words)" : " failed; check that step (\(error.words))"
  }

  /// The reason why a step failed, as a clause that ends with the remedy.
  struct Obstacle: Error, CustomStringConvertible {
    let description: String
  }

  /// An image during its transform.
  private struct Canvas {
    var buffer: FutureImage.PixelBuffer
    var points: Vector

    /// The maximum number of pixels of a resized image.
    private static let mostPixels = 100_000_000

    mutating func change(_ changed: FutureImage.PixelBuffer) {
      let isReshaped = (changed.width, changed.height, changed.scale) != (buffer.width, buffer.height, buffer.scale)
      let scale = changed.scale > 0 && changed.scale.isFinite ? changed.scale : buffer.scale
      buffer = changed.scaled(scale)
      if isReshaped { points = Vector(Double(changed.width), Double(changed.height)) / Double(scale) }
    }

    mutating func show(_ frame: Frame, density: Vector) throws {
      let pixels = Vector(Double(buffer.width), Double(buffer.height))
      let (origin, extent) = (frame.origin * pixels / points, frame.extent * pixels / points)
      let (x, width) = whole(origin.x, extent.x, within: buffer.width)
      let (y, height) = whole(origin.y, extent.y, within: buffer.height)
      points = frame.size
      let scaled = try scaled(buffer, to: frame, density: density, origin: origin, extent: extent)
      buffer = scaled ?? buffer.cropped(x: x, y: y, width: width, height: height)
      buffer = buffer.scaled(CGFloat(Double(buffer.width) / points.x))
    }

    /// Returns the scaled part of the image; nil if its pixels need no scaling.
    private func scaled(
      _ buffer: FutureImage.PixelBuffer, to frame: Frame, density: Vector, origin: Vector, extent: Vector
    ) throws -> FutureImage.PixelBuffer? {
      guard frame.limit != nil else { return nil }
      let (wanted, available) = ((frame.size * density).pixelsUp, extent.rounded(.toNearestOrAwayFromZero).pixelsUp)
      let width = frame.enlarges ? wanted.width : min(wanted.width, available.width)
      let height = frame.enlarges ? wanted.height : min(wanted.height, available.height)
      guard (width, height) != (available.width, available.height) else { return nil }
      guard width <= Self.mostPixels / height,
        let scaled = buffer.resampled(origin: origin, extent: extent, width: width, height: height)
      else { throw Obstacle(description: "\(width) × \(height) pixels are too many; make it smaller") }
      return scaled
    }

    /// Returns the nearest range of whole pixels, which has at least one pixel.
    private func whole(_ start: Double, _ length: Double, within edge: Int) -> (start: Int, length: Int) {
      let first = Int(max(0, min(start.rounded(), Double(edge - 1))))
      return (first, Int(max(1, min(length.rounded(), Double(edge - first)))))
    }
  }
}

extension FutureImage.PixelBuffer {
  /// Returns the pixels of the image that a custom step of the app makes from these pixels.
  func changed(by body: (BaseImage) throws -> BaseImage) throws -> Self {
    guard let bitmap = makeImage() else { throw noMemory }
    let image = BaseImage(cgImage: bitmap, scale: scale, orientation: .up)
    assertNoLockIsHeld()
    let result = try body(image)
    if result === image { return self }
    guard let changed = uprightBitmap(of: result) else {
      throw FutureImage.Transform.Obstacle(description: "its result has no pixels; return an image with pixels")
    }
    guard let pixels = Self(changed, scale: result.scale) else { throw noMemory }
    return pixels
  }

  private var noMemory: FutureImage.Transform.Obstacle {
    FutureImage.Transform.Obstacle(description: "there is not enough memory; release memory, or request fewer pixels")
  }
}
