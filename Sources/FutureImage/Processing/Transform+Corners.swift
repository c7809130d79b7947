extension FutureImage.Transform {
  /// Corners cut to quarters of a circle.
  /// - Parameter radius: in points; at most half of the shorter side is cut.
  public static func roundedCorners(_ radius: CGFloat) -> Self {
    Self("rounded corners of \(radius)", .pixels { $0.cornersCut(radius: radius * $0.scale) })
  }

  /// The largest disc in the middle.
  public static let circle = Self(
    "circle",
    .frame { size in
      let square = Vector(repeating: size.min())
      return Frame(origin: (size - square) / 2, extent: square, size: square)
    },
    .pixels { $0.cornersCut(radius: CGFloat(min($0.width, $0.height)) / 2) })
}

extension FutureImage.PixelBuffer {
  /// A part that lies within.
  func cropped(x: Int, y: Int, width: Int, height: Int) -> Self {
    guard (width, height) != (self.width, self.height) else { return self }
    var part: [UInt8] = []
    part.reserveCapacity(width * height * 4)
    for row in y..<y + height {
      let start = (row * self.width + x) * 4
      part += bytes[start..<start + width * 4]
    }
    return Self(width: width, height: height, scale: scale, bytes: part) ?? self
  }

  /// Smooth: a pixel on the edge keeps as much of its alpha as lies inside, measured from its centre.
  func cornersCut(radius: CGFloat) -> Self {
    let radius = min(radius, CGFloat(min(width, height)) / 2)
    guard radius > 0 else { return self }
    var cut = self
    let (width, height) = (width, height)
    cut.withBytes { bytes in
      for y in 0..<min(height, Int(radius.rounded(.up))) {
        for x in 0..<min(width, Int(radius.rounded(.up))) {
          let distance = hypot(radius - CGFloat(x) - 0.5, radius - CGFloat(y) - 0.5)
          let inside = max(0, min(1, radius - distance + 0.5))
          guard inside < 1 else { continue }
          // The four corners are alike; on a short side two may be the same pixel.
          for pixel in Set([(x, y), (width - 1 - x, y), (x, height - 1 - y), (width - 1 - x, height - 1 - y)].map { $0.1 * width + $0.0 }) {
            bytes[pixel * 4 + 3] = UInt8((CGFloat(bytes[pixel * 4 + 3]) * inside).rounded())
          }
        }
      }
    }
    return cut
  }
}
