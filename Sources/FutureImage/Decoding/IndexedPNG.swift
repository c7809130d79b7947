import Foundation

/// The detection of PNGs whose palette has transparent colors. Some systems decode them incorrectly (see `IndexedPNGFault`).
enum IndexedPNG {
  /// A PNG with one pixel. Its gray level is 200 and its alpha is 100, each out of 255.
  static let sample = Data(
    base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAMAAAAoyzS7AAAAA1BMVEXIyMiuWu3m"
      + "AAAAAXRSTlNkCjl9JwAAAApJREFUeNpjYAAAAAIAAeUn3vwAAAAASUVORK5CYII=")

  /// Whether the data is a PNG of color type 3 with a `tRNS` chunk before its pixels (PNG, 11.2.1, 11.3.1.1). Reads up to the first `IDAT`.
  static func hasTransparency(_ data: Data) -> Bool {
    data.withEncodedBytes { bytes in
      guard bytes.number32(at: 0) == 0x8950_4E47, bytes.has("IHDR", at: 12), bytes[25] == 3 else { return false }
      var position = 8
      while let length = bytes.number32(at: position), !bytes.has("IDAT", at: position + 4) {
        if bytes.has("tRNS", at: position + 4) { return true }
        position += 12 + length
      }
      return false
    }
  }
}
