/// A pixel for calculations: red, green, and blue times alpha, each 0...65,025, and alpha, 0...255. A color is thus weighted by its alpha,
/// and transparent pixels have no weight.
enum PremultipliedPixel {
  /// - Parameter start: the position of the pixel's four bytes, which all lie within `bytes`.
  @inline(__always)
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> SIMD4<Float> {
    let pixel = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: SIMD4<UInt8>.self)
    let straight = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel))
    var factor = SIMD4<Float>(repeating: straight.w)
    factor.w = 1
    return straight * factor
  }

  /// Writes the pixel as bytes. The values are rounded. They are also clamped, because the result of a filter may be out of range. A pixel
  /// without alpha becomes transparent black.
  /// - Parameter start: the position of the pixel's four bytes, which all lie within `bytes`.
  @inline(__always)
  static func write(_ pixel: SIMD4<Float>, to bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
    // An alpha below 0.5 counts as 0, because it would be rounded to 0. This also prevents a division by 0.
    let factor = pixel.w >= 0.5 ? 1 / pixel.w : 0
    var straight = pixel * factor
    straight.w = factor == 0 ? 0 : pixel.w
    straight.replace(with: 0, where: straight .< 0)
    straight.replace(with: 255, where: straight .> 255)
    // Between 2^23 and 2^24, the last bit of a Float is worth 1. So the addition rounds to an integer, and the low byte is that integer.
    straight += SIMD4(repeating: 0x1p23)
    // Both types have four elements of 32 bits, and any bits are a valid number.
    let bits = unsafeBitCast(straight, to: SIMD4<UInt32>.self)
    UnsafeMutableRawBufferPointer(bytes).storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: bits), toByteOffset: start, as: SIMD4<UInt8>.self)
  }
}
