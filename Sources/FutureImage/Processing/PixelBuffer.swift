extension FutureImage {
  /// The pixels of an image, which the steps of a transform change. Each pixel has one byte each for red, green, blue, and alpha, in sRGB,
  /// not premultiplied. Rows start at the top and have no padding.
  package struct PixelBuffer: Sendable, Hashable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The pixels per point. A reduced image has fewer pixels per point, so lengths in points mean the same at every size.
    package private(set) var scale: CGFloat
    /// The `width * height * 4` bytes of the pixels.
    package private(set) var bytes: [UInt8]

    /// Creates a buffer.
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - scale: the pixels per point.
    ///   - bytes: exactly `width * height * 4` bytes; nil for transparent black. The result is nil for any other count, for sides below 1,
    ///     and for more than 2³⁰ pixels.
    package init?(width: Int, height: Int, scale: CGFloat = 1, bytes: [UInt8]? = nil) {
      guard width > 0, height > 0, width <= 1 << 30 / height else { return nil }
      let count = width * height * 4
      guard bytes.map({ $0.count == count }) ?? true else { return nil }
      self.width = width
      self.height = height
      self.scale = scale
      self.bytes = bytes ?? [UInt8](repeating: 0, count: count)
    }

    /// The red, green, blue, and alpha of a pixel. Traps outside of the image, as an array does.
    package subscript(x: Int, y: Int) -> SIMD4<UInt8> {
      get {
        let start = (y * width + x) * 4
        return SIMD4(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
      }
      set {
        let start = (y * width + x) * 4
        for channel in 0..<4 { bytes[start + channel] = newValue[channel] }
      }
    }

    /// Returns the same pixels with another number of pixels per point.
    func scaled(_ scale: CGFloat) -> Self {
      var scaled = self
      scaled.scale = scale
      return scaled
    }

    /// Calls `body` with the bytes, which it can change in place.
    package mutating func withBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
      try bytes.withUnsafeMutableBufferPointer { try body($0) }
    }
  }
}
