/// Base64 as feeds contain it: the standard or the URL-safe alphabet (RFC 4648, sections 4 and 5), with or without padding.
enum Base64Text {
  /// Returns the bytes; nil if the text has another character, invalid padding, or a length that no encoded bytes have.
  static func bytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let symbols = characters.dropLast(padding)
    guard symbols.count % 4 != 1, padding == 0 || padding <= 2 && characters.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for symbol in symbols {
      guard let value = value(of: symbol) else { return nil }
      bits = (bits << 6 | value) & 0xFFF
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> count))
    }
    return bytes
  }

  private static func value(of symbol: UInt8) -> Int? {
    switch symbol {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(symbol - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(symbol - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(symbol - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
