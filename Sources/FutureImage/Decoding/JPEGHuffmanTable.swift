/// A Huffman code as a JPEG declares it (T.81, C and F.2.2.3): the number of codes of each length, and the symbols in the order of their
/// codes.
struct JPEGHuffmanTable {
  private let symbols: [UInt8]
  /// For each length, at the index length minus 1: the first code, the number of codes, and the first code's index in the symbols.
  private let lengths: [(first: Int, count: Int, place: Int)]
  /// For each value of eight bits: the symbol whose code the bits begin with, and the length of that code, which is 0 for longer codes.
  private var shorts = [(symbol: UInt8, length: UInt8)](repeating: (0, 0), count: 256)

  /// - Parameters:
  ///   - counts: the number of codes for each length from 1 to 16.
  ///   - symbols: the symbols, as many as the sum of `counts`.
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
      // Invalid counts may declare more codes than the length allows. The loop ignores the excess codes.
      for index in 0..<min(count, max(0, 1 << length - first)) {
        for bits in (first + index) << unused..<(first + index + 1) << unused {
          shorts[bits] = (symbols[place + index], UInt8(length))
        }
      }
    }
  }

  /// - Parameter bits: the next eight bits of a scan.
  func short(_ bits: Int) -> (symbol: Int, length: Int) {
    let (symbol, length) = shorts[bits]
    return (Int(symbol), Int(length))
  }

  /// - Parameters:
  ///   - code: the bits of the code, the first bit highest.
  ///   - length: the number of its bits, 1...16.
  func symbol(_ code: Int, length: Int) -> Int? {
    let (first, count, place) = lengths[length - 1]
    guard code >= first, code - first < count else { return nil }
    return Int(symbols[place + code - first])
  }
}
