/// A color in hexadecimal digits, as CSS writes it: `#f80`, `#f80c`, `#ff8800`, `#ff8800cc`; the `#` is optional.
enum HexColor {
  /// The longest text in bytes.
  static let longestText = 9

  /// - Throws: ``FutureImage/Failure`` with `.undecodable`.
  static func color(_ text: String) throws(FutureImage.Failure) -> FutureImage.Color {
    let digits = (text.hasPrefix("#") ? text.dropFirst() : text[...]).utf8.compactMap { digit in
      digit < 128 ? Character(Unicode.Scalar(digit)).hexDigitValue : nil
    }
    guard [3, 4, 6, 8].contains(digits.count), text.utf8.count - digits.count == (text.hasPrefix("#") ? 1 : 0) else {
      throw FutureImage.Failure(.undecodable("it is not 3, 4, 6 or 8 hexadecimal digits"))
    }
    let isShort = digits.count < 6
    let levels = isShort ? digits.map { $0 * 17 } : stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    let values = levels.map { Double($0) / 255 }
    return FutureImage.Color(red: values[0], green: values[1], blue: values[2], alpha: values.count == 4 ? values[3] : 1)
  }
}
