/// The coded bits of one JPEG scan (ITU-T T.81, F.2.2): up to the next marker, without the zeros that are stuffed after each `FF`.
struct JPEGBits {
  /// The error for bits that are used up or are not a code.
  struct Ended: Error {}

  private let bytes: EncodedBytes
  private let end: Int
  /// The position of the next byte not yet in `bits`; it stays at a marker.
  private var position: Int
  /// The lowest `left` bits are the next ones, the highest of them first.
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

  /// Skips a number that follows the code for its length.
  mutating func skipNumber(_ table: JPEGHuffmanTable) throws(Ended) {
    let length = try symbol(table)
    guard length <= 16 else { throw Ended() }
    _ = try number(length)
  }

  /// Skips the rest of the byte, and everything before the next restart marker (T.81, E.2.4).
  mutating func restart() throws(Ended) {
    left = 0
    while let mark = bytes.first(0xFF, from: position), mark + 1 < end, let code = bytes[mark + 1] {
      position = mark + (code == 0xFF ? 1 : 2)
      if 0xD0...0xD7 ~= code { return }
    }
    throw Ended()
  }
}

/// A Huffman code as a JPEG declares it (T.81, C and F.2.2.3): the number of codes of each length, and the symbols in the order of their
/// codes.
struct JPEGHuffmanTable {
  private let symbols: [UInt8]
  /// By length minus 1: the first code, the number of codes, and the first code's index in the symbols.
  private let lengths: [(first: Int, count: Int, place: Int)]
  /// By eight bits: the symbol whose code they begin with, and the length of that code; 0 for longer codes.
  private var shorts = [(symbol: UInt8, length: UInt8)](repeating: (0, 0), count: 256)

  /// - Parameters:
  ///   - counts: 16 numbers, for the lengths from 1 on.
  ///   - symbols: as many as the sum of the numbers.
  init(counts: [UInt8], symbols: [UInt8]) {
    var (code, place) = (0, 0)
    var lengths: [(first: Int, count: Int, place: Int)] = []
    for count in counts {
      lengths.append((code, Int(count), place))
      place += Int(count)
      code = (code + Int(count)) << 1
    }
    self.lengths = lengths
    self.symbols = symbols
    for length in 1...8 {
      let (first, count, place) = lengths[length - 1]
      let unused = 8 - length
      // Counts that leave too few codes for the next length yield codes beyond it.
      for index in 0..<min(count, max(0, 1 << length - first)) {
        for bits in (first + index) << unused..<(first + index + 1) << unused {
          shorts[bits] = (symbols[place + index], UInt8(length))
        }
      }
    }
  }

  /// - Parameter bits: eight bits.
  func short(_ bits: Int) -> (symbol: Int, length: Int) {
    let (symbol, length) = shorts[bits]
    return (Int(symbol), Int(length))
  }

  /// - Parameters:
  ///   - code: the code's bits, the first one highest.
  ///   - length: the number of its bits, 1...16.
  func symbol(_ code: Int, length: Int) -> Int? {
    let (first, count, place) = lengths[length - 1]
    guard code >= first, code - first < count else { return nil }
    return Int(symbols[place + code - first])
  }
}
