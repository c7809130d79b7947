/// A ThumbHash: the first components of an image's discrete cosine transform, for luminance, two color differences, and alpha.
///
/// Decodes the format of https://github.com/evanw/thumbhash, as its decoders in Rust and Swift do: each pixel is sampled at its center, and
/// levels are truncated, not rounded. This decoder is stricter, because it accepts only hashes of exactly the length that their header
/// declares.
struct ThumbHash: Sendable {
  /// The size in pixels at which the format's own decoders draw the hash: 32 on the longer side, with an approximate aspect ratio.
  let size: FutureImage.PixelSize

  private let luminance: Channel
  /// The color difference between yellow and blue.
  private let yellow: Channel
  /// The color difference between red and green.
  private let red: Channel
  private let alpha: Channel?

  /// The length of the longest hash in bytes. The longest hash has alpha, so its header has six bytes. Each of its 46 components has four
  /// bits: 22 components of luminance, 5 of each color difference, and 14 of alpha.
  static let longestHash = 6 + 46 / 2
  /// The length of the longest hash as base64, in bytes.
  static let longestText = (longestHash + 2) / 3 * 4

  /// The components of one channel: the constant component, and the components below the diagonal of a grid.
  struct Channel: Sendable {
    let constant: Double
    let columns: Int
    let rows: Int
    var factors: [Double] = []

    /// The number of components in a row.
    func count(inRow row: Int) -> Int { (columns * (rows - row) + rows - 1) / rows }
  }

  /// - Parameter text: the hash in base64 or URL-safe base64, with or without padding.
  /// - Throws: ``FutureImage/Failure`` with `.undecodable`.
  init(base64 text: String) throws(FutureImage.Failure) {
    guard text.utf8.count <= Self.longestText else { throw Self.failure("it has more than \(Self.longestText) characters") }
    guard let bytes = Base64Text.bytes(of: text) else { throw Self.failure("it is not base64") }
    try self.init(bytes)
  }

  /// - Throws: ``FutureImage/Failure`` with `.undecodable`.
  init(_ bytes: [UInt8]) throws(FutureImage.Failure) {
    guard bytes.count >= 5 else { throw Self.failure("it has fewer than 5 bytes") }
    let header = bytes[0..<5].reversed().reduce(0) { $0 << 8 | Int($1) }
    /// Returns `count` bits of the header.
    func bits(_ count: Int, at position: Int) -> Int { header >> position & (1 << count - 1) }
    let hasAlpha = bits(1, at: 23) == 1
    let isLandscape = bits(1, at: 39) == 1
    let (longer, shorter) = (hasAlpha ? 5 : 7, bits(3, at: 24))
    guard shorter > 0 else { throw Self.failure("its aspect ratio is 0") }
    guard !hasAlpha || bytes.count >= 6 else { throw Self.failure("it has fewer than 6 bytes, but its header declares alpha") }
    let (columns, rows) = isLandscape ? (longer, shorter) : (shorter, longer)
    size = Self.size(aspectRatio: Double(columns) / Double(rows))

    var reader = NibbleReader(bytes, from: hasAlpha ? 6 : 5)
    func read(_ constant: Double, columns: Int, rows: Int, scale: Double) throws(FutureImage.Failure) -> Channel {
      var channel = Channel(constant: constant, columns: columns, rows: rows)
      let count = (0..<rows).reduce(-1) { $0 + channel.count(inRow: $1) }
      for _ in 0..<count {
        guard let value = reader.next() else { throw Self.failure("it has \(bytes.count) bytes, but its header requires more") }
        channel.factors.append((Double(value) / 7.5 - 1) * scale)
      }
      return channel
    }
    luminance = try read(Double(bits(6, at: 0)) / 63, columns: max(3, columns), rows: max(3, rows), scale: Double(bits(5, at: 18)) / 31)
    // The factor 1.25 restores the saturation that quantizing loses.
    yellow = try read(Double(bits(6, at: 6)) / 31.5 - 1, columns: 3, rows: 3, scale: Double(bits(6, at: 27)) / 63 * 1.25)
    red = try read(Double(bits(6, at: 12)) / 31.5 - 1, columns: 3, rows: 3, scale: Double(bits(6, at: 33)) / 63 * 1.25)
    alpha = hasAlpha ? try read(Double(bytes[5] & 15) / 15, columns: 5, rows: 5, scale: Double(bytes[5] >> 4) / 15) : nil
    guard reader.isAtEnd else { throw Self.failure("it has \(bytes.count) bytes, but its header requires fewer") }
  }

  /// Returns the image at that size in pixels, not premultiplied.
  func pixels(_ size: FutureImage.PixelSize) -> FutureImage.PixelBuffer? {
    guard var buffer = FutureImage.PixelBuffer(width: size.width, height: size.height) else { return nil }
    let across = Self.cosines(size.width)
    let down = Self.cosines(size.height)
    for y in 0..<size.height {
      let luminance = Row(luminance, down[y])
      let yellow = Row(yellow, down[y])
      let red = Row(red, down[y])
      let alpha = alpha.map { Row($0, down[y]) }
      for x in 0..<size.width {
        let cosines = across[x]
        let (light, yellow, red) = (luminance.value(cosines), yellow.value(cosines), red.value(cosines))
        let blue = light - 2 / 3 * yellow
        let redLevel = (3 * light - blue + red) / 2
        buffer[x, y] = SIMD4(
          Self.level(redLevel), Self.level(redLevel - red), Self.level(blue), alpha.map { Self.level($0.value(cosines)) } ?? 255)
      }
    }
    return buffer
  }

  /// The components of a channel for one row of pixels, each summed over the rows of components.
  private struct Row {
    private let constant: Double
    private var sums: [Double]

    init(_ channel: Channel, _ cosines: [Double]) {
      constant = channel.constant
      sums = [Double](repeating: 0, count: channel.columns)
      var next = 0
      for row in 0..<channel.rows {
        for column in (row == 0 ? 1 : 0)..<channel.count(inRow: row) {
          sums[column] += channel.factors[next] * cosines[row] * 2
          next += 1
        }
      }
    }

    func value(_ cosines: [Double]) -> Double { zip(sums, cosines).reduce(constant) { $0 + $1.0 * $1.1 } }
  }

  /// Returns the cosines of each pixel, for the maximum number of components: cos(π × (pixel + ½) × component / pixels).
  static func cosines(_ pixels: Int) -> [[Double]] {
    (0..<pixels).map { pixel in
      (0..<7).map { cos(Double.pi / Double(pixels) * (Double(pixel) + 0.5) * Double($0)) }
    }
  }

  private static func level(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 1) * 255) }

  private static func size(aspectRatio: Double) -> FutureImage.PixelSize {
    let longer = PlaceholderGrid.longestSide
    return aspectRatio > 1
      ? FutureImage.PixelSize(width: longer, height: Int((Double(longer) / aspectRatio).rounded()))
      : FutureImage.PixelSize(width: Int((Double(longer) * aspectRatio).rounded()), height: longer)
  }

  private static func failure(_ what: String) -> FutureImage.Failure { FutureImage.Failure(.undecodable(what)) }
}

/// A reader of half bytes. The lower half of each byte comes first.
private struct NibbleReader {
  private let bytes: [UInt8]
  private var position: Int

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    position = start * 2
  }

  /// Whether every byte has been read, at least in part.
  var isAtEnd: Bool { (position + 1) / 2 == bytes.count }

  mutating func next() -> UInt8? {
    guard position / 2 < bytes.count else { return nil }
    defer { position += 1 }
    return position % 2 == 0 ? bytes[position / 2] & 15 : bytes[position / 2] >> 4
  }
}
