extension FutureImage.Transform {
  /// Cuts corners to quarter circles.
  /// - Parameters:
  ///   - radius: the radius in points, limited to half of the shorter side. A radius that is not above 0 cuts nothing.
  ///   - corners: the corners to cut.
  public static func roundedCorners(_ radius: CGFloat, _ corners: FutureImage.Corners = .allCorners) -> Self {
    .mask("rounded corners of \(radius)\(corners.clause)", .pixels { $0.cornersCut(radius: radius * $0.scale, corners) })
  }

  /// A crop to the largest disc in the middle of the image.
  public static let circle = mask(
    "circle",
    .frame { size in
      let square = Vector(repeating: size.min())
      return Frame(origin: (size - square) / 2, extent: square, size: square)
    },
    .pixels { $0.cornersCut(radius: CGFloat(min($0.width, $0.height)) / 2) })
}

extension FutureImage.Corners {
  /// The end of a transform's name, which identifies the corners; empty for all corners. `.allCorners` also has bits that belong to no
  /// corner, which are ignored.
  var clause: String {
    let named: FutureImage.Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
    return isSuperset(of: named) ? "" : ", of corners \(intersection(named).rawValue)"
  }
}

extension FutureImage.PixelBuffer {
  /// Returns a part of the image. The part must lie within the image.
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

  /// Returns the image with smoothly cut corners. A pixel on the edge retains a share of its alpha, which depends on the distance of its
  /// center from the edge.
  /// - Parameter radius: the radius in pixels.
  func cornersCut(radius: CGFloat, _ corners: FutureImage.Corners = .allCorners) -> Self {
    let radius = Double(min(radius, CGFloat(min(width, height)) / 2))
    guard radius > 0 else { return self }
    var cut = self
    let (width, height) = (width, height)
    // The radius is at most half of either side, so a corner's pixels lie within the image. No pixel fades for two corners, because the
    // pixels in the middle of an odd side lie wholly inside.
    cut.withBytes { bytes in
      func fade(_ x: Int, _ y: Int, to inside: Double) {
        let alpha = (y * width + x) * 4 + 3
        bytes[alpha] = UInt8((Double(bytes[alpha]) * inside).rounded())
      }
      for y in 0..<Int(radius.rounded(.up)) {
        for x in 0..<Int(radius.rounded(.up)) {
          let (across, down) = (max(0, radius - Double(x) - 0.5), max(0, radius - Double(y) - 0.5))
          let inside = max(0, radius - (across * across + down * down).squareRoot() + 0.5)
          if inside >= 1 { break }
          let (right, bottom) = (width - 1 - x, height - 1 - y)
          if corners.contains(.topLeft) { fade(x, y, to: inside) }
          if corners.contains(.topRight) { fade(right, y, to: inside) }
          if corners.contains(.bottomLeft) { fade(x, bottom, to: inside) }
          if corners.contains(.bottomRight) { fade(right, bottom, to: inside) }
        }
      }
    }
    return cut
  }
}
