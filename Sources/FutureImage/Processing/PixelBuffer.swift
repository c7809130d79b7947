extension FutureImage {
  /// A picture's pixels, to be changed: red, green, blue and alpha, a byte each, not premultiplied, sRGB; rows from the top, no padding.
  public struct PixelBuffer: Sendable, Hashable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Pixels a point. A reduced picture has fewer, so lengths in points mean the same at every size.
    public private(set) var scale: CGFloat
    /// `width * height * 4` of them.
    public private(set) var bytes: [UInt8]

    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in pixels.
    ///   - scale: pixels a point.
    ///   - bytes: exactly `width * height * 4`; nil for transparent black. Any other count gives nil, as do sides below 1.
    public init?(width: Int, height: Int, scale: CGFloat = 1, bytes: [UInt8]? = nil) {
      guard width > 0, height > 0, width <= 1 << 30 / height else { return nil }
      let count = width * height * 4
      guard bytes.map({ $0.count == count }) ?? true else { return nil }
      self.width = width
      self.height = height
      self.scale = scale
      self.bytes = bytes ?? [UInt8](repeating: 0, count: count)
    }

    /// The pixel's red, green, blue and alpha. Traps outside of the picture, as an array does.
    public subscript(x: Int, y: Int) -> SIMD4<UInt8> {
      get {
        let start = (y * width + x) * 4
        return SIMD4(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
      }
      set {
        let start = (y * width + x) * 4
        for channel in 0..<4 { bytes[start + channel] = newValue[channel] }
      }
    }

    /// The same pixels, for larger or smaller points.
    func scaled(_ scale: CGFloat) -> Self {
      var scaled = self
      scaled.scale = scale
      return scaled
    }

    /// Calls `body` with the bytes in place.
    public mutating func withBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
      try bytes.withUnsafeMutableBufferPointer { try body($0) }
    }
  }
}
