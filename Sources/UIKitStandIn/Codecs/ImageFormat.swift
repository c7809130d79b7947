import Foundation

/// An image file format, known by its first bytes. Names and MIME types are not asked: servers are wrong about both.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, gif, webp, avif, heic, tiff, bmp

  /// How many bytes ``sniff(_:)`` looks at, at most.
  package static let sniffLength = 64

  package static func sniff(_ data: Data) -> ImageFormat? {
    let bytes = [UInt8](data.prefix(sniffLength))
    func has(_ text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if has("GIF87a") || has("GIF89a") { return .gif }
    if has("RIFF"), has("WEBP", at: 8) { return .webp }
    if has("ftyp", at: 4) { return isoBrand(bytes) }
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0x00]) || bytes.starts(with: [0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
    if has("BM"), bytes.count >= 14, bytes[6...9].allSatisfy({ $0 == 0 }) { return .bmp }
    return nil
  }

  /// An ISO base media file (ISO/IEC 14496-12) names its main brand, a version and then compatible brands, all in its first box.
  private static func isoBrand(_ bytes: [UInt8]) -> ImageFormat? {
    let end = min(bytes.count, bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) })
    for start in stride(from: 8, through: end - 4, by: 4) where start != 12 {
      switch String(decoding: bytes[start..<start + 4], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "heim", "heis", "hevc", "hevx": return .heic
      default: continue
      }
    }
    return nil
  }
}
