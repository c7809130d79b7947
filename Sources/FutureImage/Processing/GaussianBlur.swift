/// Gauss' bell over a line of pixels, by three passes of a running mean whose outermost pixels count in part: its width is that of the bell
/// to the last digit, and the cost does not depend on it. Beyond its ends the line is mirrored, so the mean is kept.
///
/// Source: P. Gwosdek, S. Grewenig, A. Bruhn, J. Weickert, "Theoretical Foundations of Gaussian Convolution by Extended Box Filtering",
/// 2011.
struct GaussianBlur {
  private static let passes = 3
  private let count: Int
  /// How many pixels on either side count fully.
  private let reach: Int
  /// How much the next ones count.
  private let rim: Float
  private let weight: Float
  /// The line with `reach + 1` pixels on either side, twice.
  private var lines: [SIMD4<Float>]

  /// - Parameters:
  ///   - deviation: the bell's standard deviation in pixels, above 0.
  ///   - count: of pixels in a line.
  init(deviation: Double, count: Int) {
    // Twice the line's length makes its mean of it, to the eighth digit: more would only cost.
    let variance = min(deviation, Double(count) * 2)
    let perPass = variance * variance / Double(Self.passes)
    let reach = ((12 * perPass + 1).squareRoot() / 2 - 0.5).rounded(.down)
    let rim = (2 * reach + 1) * (reach * (reach + 1) - 3 * perPass) / (6 * (perPass - (reach + 1) * (reach + 1)))
    self.count = count
    self.reach = Int(reach)
    self.rim = Float(rim)
    weight = Float(1 / (2 * reach + 1 + 2 * rim))
    lines = [SIMD4<Float>](repeating: .zero, count: 2 * (count + 2 * Int(reach) + 2))
  }

  /// Blurs the line of pixels that starts at that byte and has one every `stride` bytes; all of them lie within `bytes`.
  mutating func blur(_ bytes: UnsafeMutableBufferPointer<UInt8>, start: Int, stride: Int) {
    let (count, reach, rim, weight) = (count, reach, rim, weight)
    let margin = reach + 1
    let source = UnsafeBufferPointer(bytes)
    // Two lines with margins of `reach + 1`, and no index leaves its line by more than that.
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
      for index in 0..<count { PremultipliedPixel.write(lines[from + index], bytes, start + index * stride) }
    }
  }
}

extension FutureImage.PixelBuffer {
  /// In place, line by line: between the two directions it is rounded to bytes, which a blur evens out, and needs no second picture.
  /// - Parameter deviation: in pixels.
  func blurred(deviation: Double) -> Self {
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
