import Foundation

/// Streams of zeros, more than a million for each byte, and streams of empty blocks.
enum BrotliBomb {
  /// - Parameter blocks: the number of blocks, of 16 MiB each.
  ///
  /// Each is one meta-block of RFC 7932, section 9.2, whose three prefix codes have one symbol each: a literal zero, then a copy of the
  /// byte before, 16,777,215 times.
  static func data(blocks: Int) -> Data {
    var bits = BitWriter()
    // A window of 16 MiB.
    bits.add(0b1111, 4)
    for _ in 0..<blocks {
      // Not the last block; a length of six nibbles; compressed; one block type of each kind, without postfix, direct distances and
      // contexts.
      bits.add(0b10 << 1, 3)
      bits.add(1 << 24 - 1, 24)
      bits.add(0, 14)
      // Simple codes of one symbol: the literal 0, the command that inserts one byte and copies at least 2,118, the distance of 1 or 2.
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

  /// The given number of empty meta-blocks of metadata, one byte each, without an end.
  static func emptyBlocks(_ count: Int) -> Data { Data([0x0C]) + Data(repeating: 0x06, count: count) }
}
