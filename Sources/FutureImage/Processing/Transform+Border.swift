extension FutureImage.Transform {
  /// Draws a line inside of the image, along its edge, so that the size of the image does not change.
  ///
  ///     FutureImage(at: url, transform: .border(2, .white, radius: 8))
  ///     FutureImage(at: url, transform: .circle.then(.border(2, .white, radius: .infinity)))
  ///
  /// With a radius, the line follows corners that are quarter circles. The pixels beyond these corners are cut off, as by
  /// ``roundedCorners(_:_:)``.
  /// - Parameters:
  ///   - width: the width of the line in points. A width that is not above 0 leaves the image unchanged.
  ///   - color: the color of the line, converted as for ``tint(_:)``. The less alpha it has, the more of the image shows through.
  ///   - radius: the radius of the outer edge, in points, limited to half of the shorter side.
  ///   - corners: the corners that have the radius.
  public static func border(
    _ width: CGFloat, _ color: FutureImage.PlatformColor, radius: CGFloat = 0, _ corners: FutureImage.Corners = .allCorners
  ) -> Self {
    border(width, FutureImage.Color(color), radius: radius, corners)
  }

  static func border(
    _ width: CGFloat, _ color: FutureImage.Color, radius: CGFloat = 0, _ corners: FutureImage.Corners = .allCorners
  ) -> Self {
    Self(
      "border of \(width) in \(color), radius \(radius)\(corners.clause)",
      .pixels { $0.bordered(width: width * $0.scale, color, radius: radius * $0.scale, corners) })
  }
}

extension FutureImage.PixelBuffer {
  /// Returns the image with a smooth line. A pixel on the inner edge of the line gets a share of the color, and a pixel on the outer edge
  /// retains a share of its alpha. The shares depend on the distance of the pixel's center from the edge.
  /// - Parameters:
  ///   - width: the width of the line in pixels.
  ///   - radius: the radius of the outer edge in pixels.
  func bordered(
    width line: CGFloat, _ color: FutureImage.Color, radius: CGFloat, _ corners: FutureImage.Corners
  ) -> Self {
    guard line > 0 else { return self }
    let outline = Outline(width: width, height: height, radius: Double(radius), corners: corners)
    // No pixel is farther from an edge than the longer side, so a wider line has no further effect.
    let line = min(Double(line), Double(max(width, height)))
    let reach = Int(max(line, outline.radius).rounded(.up)) + 1
    let (width, height) = (width, height)
    var bordered = self
    // Each index is that of a pixel within the image.
    bordered.withBytes { bytes in
      for y in 0..<height {
        // Between the corners, only the pixels near both ends of a row change.
        let isWholeRow = y < reach || y >= height - reach || 2 * reach >= width
        let parts = isWholeRow ? [0..<width] : [0..<reach, width - reach..<width]
        for x in parts.joined() {
          let distance = outline.distance(x, y)
          let (inside, covered) = (min(max(0.5 - distance, 0), 1), min(max(0.5 + distance + line, 0), 1))
          if covered > 0 || inside < 1 { Self.draw(color, covered: covered, inside: inside, in: bytes, at: (y * width + x) * 4) }
        }
      }
    }
    return bordered
  }

  /// Draws the color over a pixel, and reduces the alpha of the result by the share outside of the outline.
  /// - Parameters:
  ///   - covered: the share of the pixel that the line covers.
  ///   - inside: the share of the pixel that lies inside of the outline.
  ///   - start: the position of the pixel's four bytes.
  private static func draw(
    _ color: FutureImage.Color, covered: Double, inside: Double, in bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int
  ) {
    let over = color.alpha * covered
    let under = Double(bytes[start + 3]) / 255 * (1 - over)
    let alpha = over + under
    if over > 0 {
      func mixed(_ component: Double, _ byte: UInt8) -> UInt8 { Self.byte((component * 255 * over + Double(byte) * under) / alpha) }
      bytes[start] = mixed(color.red, bytes[start])
      bytes[start + 1] = mixed(color.green, bytes[start + 1])
      bytes[start + 2] = mixed(color.blue, bytes[start + 2])
    }
    bytes[start + 3] = Self.byte(alpha * inside * 255)
  }
}

/// A rectangle with rounded corners.
private struct Outline {
  let radius: Double
  private let center: SIMD2<Double>
  private let corners: FutureImage.Corners

  /// - Parameter radius: the radius in pixels; NaN counts as 0.
  init(width: Int, height: Int, radius: Double, corners: FutureImage.Corners) {
    center = SIMD2(Double(width), Double(height)) / 2
    self.radius = radius > 0 ? min(radius, center.min()) : 0
    self.corners = corners
  }

  /// Returns the distance of the pixel's center from the nearest edge, in pixels. It is negative inside and positive outside.
  func distance(_ x: Int, _ y: Int) -> Double {
    let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - center
    let radius = corners.contains(corner(place)) ? radius : 0
    let beyond = SIMD2(abs(place.x), abs(place.y)) - center + radius
    let outer = pointwiseMax(beyond, .zero)
    return (outer * outer).sum().squareRoot() + min(beyond.max(), 0) - radius
  }

  private func corner(_ place: SIMD2<Double>) -> FutureImage.Corners {
    if place.y < 0 { return place.x < 0 ? .topLeft : .topRight }
    return place.x < 0 ? .bottomLeft : .bottomRight
  }
}
