import UIKitStandIn

/// Four bytes: red, green, blue, alpha.
typealias Pixel = SIMD4<UInt8>

extension CGImage {
  func pixel(_ x: Int, _ y: Int) -> Pixel {
    withRGBA { bytes in
      let start = (y * width + x) * 4
      return Pixel(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
    }
  }

  var bytes: [UInt8] { withRGBA { Array($0) } }

  /// Returns the largest difference of any channel of any pixel, or nil if the sizes differ.
  func largestDifference(from other: CGImage) -> Int? {
    differences(from: other)?.max()
  }

  func meanDifference(from other: CGImage) -> Double? {
    differences(from: other).map { Double($0.reduce(0, +)) / Double($0.count) }
  }

  private func differences(from other: CGImage) -> [Int]? {
    guard width == other.width, height == other.height else { return nil }
    return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }
  }

  /// Returns an image with every pixel computed from its position.
  static func drawn(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) -> CGImage? {
    var rgba: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let value = pixel(x, y)
        rgba += [value.x, value.y, value.z, value.w]
      }
    }
    return CGImage(width: width, height: height, rgba: rgba)
  }

  /// Returns noise, which is always the same for the same size.
  static func noise(_ width: Int, _ height: Int, opaque: Bool) -> CGImage? {
    var state = UInt32(width * 31 + height)
    func next() -> UInt8 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    return drawn(width, height) { _, _ in Pixel(next(), next(), next(), opaque ? 255 : next()) }
  }
}
