import Foundation

/// Brotli streams that decompress to zeros, more than a million for each byte, and streams of empty blocks.
enum BrotliBomb {
  /// Returns a stream of zeros. Each block is one meta-block (RFC 7932, section 9.2) whose three prefix codes have one symbol each. It
  /// inserts a literal zero, and then copies that byte 16,777,215 times.
  /// - Parameter blocks: the number of blocks. Each block decompresses to 16 MiB.
  static func data(blocks: Int) -> Data {
    var bits = BitWriter()
    // A window of 16 MiB.
    bits.add(0b1111, 4)
    for _ in 0..<blocks {
      // These bits declare a compressed block that is not the last, and whose length has six nibbles. It has one block type of each kind,
      // and no postfix, direct distances, or contexts.
      bits.add(0b10 << 1, 3)
      bits.add(1 << 24 - 1, 24)
      bits.add(0, 14)
      // These simple codes have one symbol each: the literal 0, the command that inserts one byte and copies at least 2,118 bytes, and the
      // distance of 1 or 2.
      bits.add(0b0001, 4)
      bits.add(0, 8)
      bits.add(0b0001, 4)
      bits.add(399, 10)
      bits.add(0b0001, 4)
      bits.add(16, 6)
      bits.add(1 << 24 - 1 - 2_118, 24)
      bits.add(0, 1)
    }
    // The last block, which is empty.
    bits.add(0b11, 2)
    bits.pad()
    return bits.data
  }

  /// Returns a stream of empty metadata blocks, of one byte each. The given number of blocks follows the first block, whose byte also
  /// declares the window. The stream has no last block.
  static func emptyBlocks(_ count: Int) -> Data { Data([0x0C]) + Data(repeating: 0x06, count: count) }
}
