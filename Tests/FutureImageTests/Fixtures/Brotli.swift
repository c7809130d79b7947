import Foundation

/// Content in brotli's format without compression (RFC 7932, section 9).
enum Brotli {
  /// A stream whose blocks contain the data uncompressed.
  static func stored(_ data: Data) -> Data {
    // One bit before the first block declares a window of 64 KB.
    var (stream, isFirst) = (Data(), true)
    for start in stride(from: 0, to: data.count, by: 1 << 16) {
      let block = data.dropFirst(start).prefix(1 << 16)
      // Not the last block, a length of four nibbles, the length minus one, not compressed. The rest of the byte is padding.
      let header = UInt32(block.count - 1) << 3 | 1 << 19
      let bits = isFirst ? header << 1 : header
      stream += [UInt8(bits & 255), UInt8(bits >> 8 & 255), UInt8(bits >> 16)] + block
      isFirst = false
    }
    // The last block, which is empty.
    return stream + [isFirst ? 0x06 : 0x03]
  }
}
