import Foundation

/// Combines bits into bytes, the lowest bit first, as in deflate and brotli.
struct BitWriter {
  private(set) var data: Data
  private var held: UInt64 = 0
  private var heldCount: UInt64 = 0

  init(_ data: Data = Data()) {
    self.data = data
  }

  /// Adds at most 32 bits.
  mutating func add(_ bits: UInt64, _ count: UInt64) {
    held |= bits << heldCount
    heldCount += count
    while heldCount >= 8 {
      data.append(UInt8(truncatingIfNeeded: held))
      held >>= 8
      heldCount -= 8
    }
  }

  /// Fills the last byte with zeros.
  mutating func pad() {
    if heldCount > 0 { add(0, 8 - heldCount) }
  }
}
