import Foundation

/// Gzip streams that decompress to zeros, 159 for each byte, and streams of empty blocks.
enum GzipBomb {
  private static let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
  private static let emptyBlock: [UInt8] = [0, 0, 0, 0xFF, 0xFF]

  /// Returns one block of fixed codes (RFC 1951, section 3.2.6): a literal zero, and then commands of 13 bits that each add 258 zeros. The
  /// stream has no end and no checksum, because no decompressor should get that far.
  /// - Parameter byteCount: the minimum number of decompressed bytes.
  static func data(byteCount: Int) -> Data { data(repeating: [0], byteCount: byteCount) }

  /// Returns the given number of empty stored blocks, of five bytes each. The stream has no end.
  static func emptyBlocks(_ count: Int) -> Data { header + Data((0..<count).flatMap { _ in emptyBlock }) }

  /// Returns a gzip stream that contains another gzip stream, with at least the given number of bytes of empty stored blocks.
  static func compressedEmptyBlocks(byteCount: Int) -> Data { data(Data(header), repeating: emptyBlock, byteCount: byteCount) }

  /// Returns a gzip stream that contains a brotli stream, with at least the given number of bytes of empty meta-blocks.
  static func compressedBrotliBlocks(byteCount: Int) -> Data { data(Data([0x0C]), repeating: [0x06], byteCount: byteCount) }

  private static func data(_ beginning: Data = Data(), repeating pattern: [UInt8], byteCount: Int) -> Data {
    var bits = BitWriter(header)
    // The final block, with fixed codes.
    bits.add(0b011, 3)
    for byte in Array(beginning) + pattern { addLiteral(byte, &bits) }
    // Length 258 is 11000101, and distance 1 is 00000. Distance 5 is 00100, followed by an extra bit that is zero.
    for _ in 0..<byteCount / 258 + 1 { pattern.count == 1 ? bits.add(0b1010_0011, 13) : bits.add(0b0100_1010_0011, 14) }
    return bits.data
  }

  /// Adds the code of a literal, the highest bit first.
  private static func addLiteral(_ byte: UInt8, _ bits: inout BitWriter) {
    let (code, count): (UInt64, UInt64) = byte < 144 ? (0x30 + UInt64(byte), 8) : (0x190 + UInt64(byte) - 144, 9)
    bits.add((0..<count).reduce(0) { $0 | (code >> $1 & 1) << (count - 1 - $1) }, count)
  }
}
