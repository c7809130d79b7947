/// The coded bits of one JPEG scan (ITU-T T.81, F.2.2) up to the next marker, without the zeros that are stuffed after each `FF`.
struct JPEGBits {
  /// The error if no bits are left, or if the bits are not a code.
  struct Ended: Error {}

  private let bytes: EncodedBytes
  private let end: Int
  /// The position of the next byte that is not yet in `bits`. It does not advance beyond a marker.
  private var position: Int
  /// The bits that were read ahead. The lowest `left` bits are the next bits of the scan, and the highest of them comes first.
  private var bits: UInt64 = 0
  private var left = 0

  /// - Parameters:
  ///   - start: the position of the first coded byte.
  ///   - end: the position after the last coded byte.
  init(_ bytes: EncodedBytes, from start: Int, to end: Int) {
    self.bytes = bytes
    self.end = end
    position = start
  }

  /// Whether the bits that were read are followed by nothing, by at most two bytes (a damaged end marker), or by a trailer. A trailer
  /// begins with a marker or with two zeros. In the second case, the first four bytes are a number above 0, or all remaining bytes are
  /// zeros.
  ///
  /// If bytes follow, the bits must end as those of a scan do: ones fill the last byte (T.81, F.1.2.3). Before a trailer that begins with
  /// zeros, the last byte must not be a zero, because such a zero would belong to the trailer.
  var endBeforeTrailer: Bool {
    var next = position
    for _ in 0..<left / 8 {
      next -= 1
      if bytes[next] == 0, bytes[next - 1] == 0xFF { next -= 1 }
    }
    guard let byte = bytes[next] else { return true }
    let unused: UInt64 = 1 << UInt64(left % 8) - 1
    guard bits >> UInt64(left / 8 * 8) & unused == unused else { return false }
    guard bytes.count - next > 2, let following = bytes[next + 1] else { return true }
    // Codes below C0 are reserved. They occur in random bytes, but not at the start of a trailer.
    if byte == 0xFF { return following >= 0xC0 }
    guard byte == 0, following == 0, bytes[next - 1] != 0 else { return false }
    return bytes.number32(at: next) ?? 0 > 0 || (next..<bytes.count).allSatisfy { bytes[$0] == 0 }
  }

  /// Reads ahead while `bits` has room, up to the next marker.
  private mutating func fill() {
    while left <= 56, position < end, let byte = bytes[position] {
      if byte == 0xFF {
        guard position + 1 < end, bytes[position + 1] == 0 else { return }
        position += 1
      }
      position += 1
      bits = bits << 8 | UInt64(byte)
      left += 8
    }
  }

  /// Returns a number of `count` bits, at most 16.
  mutating func number(_ count: Int) throws(Ended) -> Int {
    if left < count { fill() }
    guard left >= count else { throw Ended() }
    left -= count
    return Int(truncatingIfNeeded: bits >> UInt64(left)) & (1 << count - 1)
  }

  /// Returns the next symbol of a Huffman code.
  mutating func symbol(_ table: JPEGHuffmanTable) throws(Ended) -> Int {
    if left < 16 { fill() }
    if left >= 8 {
      let (symbol, length) = table.short(Int(truncatingIfNeeded: bits >> UInt64(left - 8)) & 0xFF)
      if length > 0 {
        left -= length
        return symbol
      }
    }
    var code = 0
    for length in 1...16 {
      code = code << 1 | (try number(1))
      if let symbol = table.symbol(code, length: length) { return symbol }
    }
    throw Ended()
  }

  /// Skips the code for the length of a number, and the bits of that number.
  mutating func skipNumber(_ table: JPEGHuffmanTable) throws(Ended) {
    let length = try symbol(table)
    guard length <= 16 else { throw Ended() }
    _ = try number(length)
  }

  /// Skips the rest of the current byte, and the restart marker that follows (T.81, E.2.4).
  mutating func restart() throws(Ended) {
    guard left < 8 else { throw Ended() }
    left = 0
    while bytes[position] == 0xFF, position + 1 < end, let code = bytes[position + 1] {
      position += code == 0xFF ? 1 : 2
      if 0xD0...0xD7 ~= code { return }
    }
    throw Ended()
  }
}
