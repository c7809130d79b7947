/// A BlurHash: the first components of an image's discrete cosine transform, in linear light, as text.
///
/// Decodes the format that https://github.com/woltapp/blurhash/blob/master/Algorithm.md describes. Sampling and rounding are those of that
/// project's decoder in C (`C/decode.c`): each pixel is sampled at its leading edge, and half a level is rounded up. This decoder is
/// stricter, because a value that no encoder can write is an error.
struct BlurHash: Sendable {
  private let columns: Int
  private let rows: Int
  /// The components in linear light, row by row; the first is the average color.
  private let components: [SIMD3<Double>]

  /// The maximum number of components across, and down.
  static let mostComponents = 9
  /// The length of the longest text in bytes: one digit for the counts, one for the greatest component, four for the average, and two for
  /// each other component. This is the same as four digits, and two for each component, because the average is one of the components.
  static let longestText = 4 + 2 * mostComponents * mostComponents

  /// - Throws: ``FutureImage/Failure`` with `.undecodable`.
  init(_ text: String) throws(FutureImage.Failure) {
    let digits = try Self.digits(of: text)
    let counts = digits[0]
    guard counts < Self.mostComponents * Self.mostComponents else { throw Self.failure("it has more than 9 rows of components") }
    (columns, rows) = (counts % Self.mostComponents + 1, counts / Self.mostComponents + 1)
    let count = columns * rows
    guard digits.count == 4 + 2 * count else {
      throw Self.failure("it has \(digits.count) characters, but its first character requires \(4 + 2 * count)")
    }
    let scale = Double(digits[1] + 1) / 166
    var components = [try Self.average(Self.number(digits[2..<6]))]
    for component in 1..<count {
      let start = 4 + 2 * component
      components.append(try Self.component(Self.number(digits[start..<start + 2])) * scale)
    }
    self.components = components
  }

  /// Returns the image at that size in pixels, opaque.
  func pixels(_ size: FutureImage.PixelSize) -> FutureImage.PixelBuffer? {
    let (width, height) = (size.width, size.height)
    guard var buffer = FutureImage.PixelBuffer(width: width, height: height) else { return nil }
    let across = Self.cosines(columns, width)
    let down = Self.cosines(rows, height)
    for y in 0..<height {
      // The sum over the rows of components is the same for all pixels of a row.
      var sums = [SIMD3<Double>](repeating: .zero, count: columns)
      for row in 0..<rows {
        for column in 0..<columns { sums[column] += components[row * columns + column] * down[y * rows + row] }
      }
      for x in 0..<width {
        var color = SIMD3<Double>.zero
        for column in 0..<columns { color += sums[column] * across[x * columns + column] }
        buffer[x, y] = SIMD4(Self.level(color.x), Self.level(color.y), Self.level(color.z), 255)
      }
    }
    return buffer
  }

  /// Returns the cosines for each pixel and component: cos(π × pixel × component / pixels).
  private static func cosines(_ components: Int, _ pixels: Int) -> [Double] {
    (0..<pixels).flatMap { pixel in
      (0..<components).map { cos(Double.pi * Double(pixel * $0) / Double(pixels)) }
    }
  }

  // MARK: - Text

  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// The value of each byte; 255 for a byte that is not a digit.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Returns the values of the text's digits, at least six.
  private static func digits(of text: String) throws(FutureImage.Failure) -> [Int] {
    let count = text.utf8.count
    guard count >= 6 else { throw failure("it has fewer than 6 characters") }
    guard count <= longestText else { throw failure("it has more than \(longestText) characters") }
    let digits = text.utf8.map { Int(values[Int($0)]) }
    guard !digits.contains(255) else { throw failure("it has characters other than the 83 of the format") }
    return digits
  }

  /// Returns the digits of a number, with leading zeros.
  static func digits(of number: Int, count: Int) -> [UInt8] {
    var (digits, rest) = ([UInt8](), number)
    for _ in 0..<count {
      digits.append(alphabet[rest % alphabet.count])
      rest /= alphabet.count
    }
    return digits.reversed()
  }

  private static func number(_ digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * alphabet.count + $1 } }

  private static func average(_ value: Int) throws(FutureImage.Failure) -> SIMD3<Double> {
    guard value < 1 << 24 else { throw failure("its average color is out of range") }
    return SIMD3(linear(value >> 16), linear(value >> 8 & 255), linear(value & 255))
  }

  /// Returns values from -1 to 1, one for each channel.
  private static func component(_ value: Int) throws(FutureImage.Failure) -> SIMD3<Double> {
    guard value < 19 * 19 * 19 else { throw failure("one of its components is out of range") }
    func squared(_ step: Int) -> Double {
      let part = Double(step - 9) / 9
      return part < 0 ? -part * part : part * part
    }
    return SIMD3(squared(value / (19 * 19)), squared(value / 19 % 19), squared(value % 19))
  }

  private static func failure(_ what: String) -> FutureImage.Failure { FutureImage.Failure(.undecodable(what)) }

  // MARK: - Light

  /// Converts a level of sRGB to linear light.
  static func linear(_ level: Int) -> Double {
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Converts linear light to a level of sRGB.
  static func level(_ linear: Double) -> UInt8 {
    let value = min(max(linear, 0), 1)
    return UInt8((value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255 + 0.5)
  }
}
