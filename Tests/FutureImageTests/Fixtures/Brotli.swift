import Foundation

/// Content in brotli's format without compression (RFC 7932, section 9).
enum Brotli {
  /// Returns a stream whose blocks contain the data without compression.
  static func stored(_ data: Data) -> Data {
    // One bit before the first block declares a window of 64 KB.
    var (stream, isFirst) = (Data(), true)
    for start in stride(from: 0, to: data.count, by: 1 << 16) {
      let block = data.dropFirst(start).prefix(1 << 16)
      // The header declares an uncompressed block that is not the last, with the length minus one in four nibbles. The remaining bits are
      // padding.
      let header = UInt32(block.count - 1) << 3 | 1 << 19
      let bits = isFirst ? header << 1 : header
      stream += [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16)] + block
      isFirst = false
    }
    // The last block, which is empty.
    return stream + [isFirst ? 0x06 : 0x03]
  }
}
