import Foundation

/// Zeros by the million, 159 to a byte.
enum GzipBomb {
  /// - Parameter byteCount: decompressed, at least.
  ///
  /// One block of fixed codes (RFC 1951, section 3.2.6): a literal zero, then copies of the 258 bytes before, 13 bits each. Neither end nor
  /// checksum follows: nobody should come so far.
  static func data(byteCount: Int) -> Data {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    bytes.reserveCapacity(byteCount / 150)
    var (held, heldCount): (UInt32, UInt32) = (0, 0)
    func add(_ bits: UInt32, _ count: UInt32) {
      held |= bits << heldCount
      heldCount += count
      while heldCount >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: held))
        held >>= 8
        heldCount -= 8
      }
    }
    // Final, fixed codes; the literal 0 is 00110000 with its first bit first.
    add(0b011, 3)
    add(0b0000_1100, 8)
    // Length 258 is 11000101, distance 1 is 00000.
    for _ in 0..<byteCount / 258 + 1 { add(0b1010_0011, 13) }
    return Data(bytes)
  }
}
