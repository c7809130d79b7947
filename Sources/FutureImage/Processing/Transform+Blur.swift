extension FutureImage.Transform {
  /// Blurs the image evenly in all directions, as CSS and Core Image do.
  /// - Parameter radius: the standard deviation of the Gaussian, in points. The light of a point spreads about three times as far. The
  ///   radius does not affect the cost. A radius that is not above 0 leaves the image unchanged.
  public static func blur(_ radius: CGFloat) -> Self {
    Self("blur of \(radius)", .pixels { $0.blurred(deviation: Double(radius * $0.scale)) })
  }
}

/// A Gaussian blur of a line of pixels, by three passes of a running mean. The outermost pixels of the mean have a smaller weight, which is
/// chosen so that the result has exactly the standard deviation of the Gaussian. The cost of a pixel does not depend on this deviation. The
/// line is mirrored beyond its ends, so its mean is preserved.
///
/// Source: P. Gwosdek, S. Grewenig, A. Bruhn, J. Weickert, "Theoretical Foundations of Gaussian Convolution by Extended Box Filtering",
/// 2011.
struct GaussianBlur {
  private static let passes = 3
  private let count: Int
  /// The number of pixels that count fully on either side of the middle pixel.
  private let reach: Int
  /// The weight of the outermost pixel on either side, relative to the pixels that count fully.
  private let rim: Float
  private let weight: Float
  /// Two copies of the line, each with `reach + 1` additional pixels on either side.
  private var lines: [SIMD4<Float>]

  /// - Parameters:
  ///   - deviation: the standard deviation of the Gaussian in pixels, above 0.
  ///   - count: the number of pixels in a line.
  init(deviation: Double, count: Int) {
    // With a deviation of twice the line's length, all pixels of the result equal the mean of the line, to the eighth digit. A larger
    // deviation would only cost time.
    let limited = min(deviation, Double(count) * 2)
    // The variance of each pass.
    let perPass = limited * limited / Double(Self.passes)
    let reach = ((12 * perPass + 1).squareRoot() / 2 - 0.5).rounded(.down)
    let rim = (2 * reach + 1) * (reach * (reach + 1) - 3 * perPass) / (6 * (perPass - (reach + 1) * (reach + 1)))
    self.count = count
    self.reach = Int(reach)
    self.rim = Float(rim)
    weight = Float(1 / (2 * reach + 1 + 2 * rim))
    lines = [SIMD4<Float>](repeating: .zero, count: 2 * (count + 2 * Int(reach) + 2))
  }

  /// Blurs the line of pixels that starts at byte `start`, with a pixel every `stride` bytes. All of the pixels lie within `bytes`.
  mutating func blur(_ bytes: UnsafeMutableBufferPointer<UInt8>, start: Int, stride: Int) {
    let (count, reach, rim, weight) = (count, reach, rim, weight)
    let margin = reach + 1
    let source = UnsafeBufferPointer(bytes)
    // Both lines have margins of `reach + 1` pixels, and no index exceeds its line by more than that.
    lines.withUnsafeMutableBufferPointer { lines in
      var (from, to) = (margin, lines.count / 2 + margin)
      for index in 0..<count { lines[from + index] = PremultipliedPixel.read(source, start + index * stride) }
      for _ in 0..<Self.passes {
        for index in 0..<margin {
          let turned = index % (2 * count)
          let mirrored = turned < count ? turned : 2 * count - 1 - turned
          lines[from - 1 - index] = lines[from + mirrored]
          lines[from + count + index] = lines[from + count - 1 - mirrored]
        }
        var sum = SIMD4<Float>.zero
        for index in -reach...reach { sum += lines[from + index] }
        for index in 0..<count {
          let (before, after) = (lines[from + index - margin], lines[from + index + margin])
          lines[to + index] = (sum + (before + after) * rim) * weight
          sum += after - lines[from + index - reach]
        }
        swap(&from, &to)
      }
      for index in 0..<count { PremultipliedPixel.write(lines[from + index], to: bytes, at: start + index * stride) }
    }
  }
}

extension FutureImage.PixelBuffer {
  /// Returns the blurred pixels. The blur works in place, line by line, so it needs no second image. Between the two directions, the pixels
  /// are rounded to bytes. The second direction evens out the rounding errors.
  /// - Parameter deviation: the standard deviation in pixels.
  func blurred(deviation: Double) -> Self {
    // A smaller deviation has no visible effect.
    guard deviation > 0.05 else { return self }
    var blurred = self
    let (width, height) = (width, height)
    blurred.withBytes { bytes in
      var rows = GaussianBlur(deviation: deviation, count: width)
      for y in 0..<height { rows.blur(bytes, start: y * width * 4, stride: 4) }
      var columns = GaussianBlur(deviation: deviation, count: height)
      for x in 0..<width { columns.blur(bytes, start: x * 4, stride: width * 4) }
    }
    return blurred
  }
}
