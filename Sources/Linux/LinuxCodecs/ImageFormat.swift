import Foundation

/// An image file format, recognized by its first bytes. Names and MIME types are ignored, because servers often state wrong ones.
package enum ImageFormat: String, Sendable, CaseIterable {
  case jpeg, png, gif, webp, avif, heic, tiff, bmp

  package var mimeType: String { "image/\(rawValue)" }

  /// The signature of each format, which consists of bytes at given offsets.
  private static let signatures: [(format: ImageFormat, pieces: [(bytes: [UInt8], offset: Int)])] = [
    (.jpeg, [([0xFF, 0xD8, 0xFF], 0)]),
    (.png, [([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0)]),
    (.gif, [(text("GIF87a"), 0)]),
    (.gif, [(text("GIF89a"), 0)]),
    (.webp, [(text("RIFF"), 0), (text("WEBP"), 8)]),
    (.tiff, [([0x49, 0x49, 0x2A, 0x00], 0)]),
    (.tiff, [([0x4D, 0x4D, 0x00, 0x2A], 0)]),
    (.bmp, [(text("BM"), 0), ([0, 0, 0, 0], 6), ([0, 0, 0], 11)])
  ]

  /// The brands of ISO base media files, and their formats.
  private static let brands: [String: ImageFormat] = [
    "avif": .avif, "avis": .avif,
    "heic": .heic, "heix": .heic, "heim": .heic, "heis": .heic, "hevc": .heic, "hevx": .heic
  ]

  package static func sniff(_ data: Data) -> ImageFormat? {
    let known = data.withUnsafeBytes { data in
      signatures.first { _, pieces in pieces.allSatisfy { data.dropFirst($0.offset).starts(with: $0.bytes) } }
    }
    return known?.format ?? isoBrand(data)
  }

  /// Returns the format of an ISO base media file (ISO/IEC 14496-12). The first box names the main brand, a version, and then compatible
  /// brands. Only the first few compatible brands are checked.
  private static func isoBrand(_ data: Data) -> ImageFormat? {
    let bytes = [UInt8](data.prefix(128))
    guard bytes.dropFirst(4).starts(with: text("ftyp")) else { return nil }
    let end = min(bytes.count, bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) })
    let starts = stride(from: 8, through: end - 4, by: 4).filter { $0 != 12 }
    let names = starts.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
    return names.lazy.compactMap { brands[$0] }.first ?? (names.contains("mif1") && hasHEVC(data) ? .heic : nil)
  }

  /// Whether an image file without a brand of its codec has an HEVC item. Only the first 64 kilobytes are searched, because the tables of
  /// such a file are there.
  private static func hasHEVC(_ data: Data) -> Bool { data.prefix(1 << 16).range(of: Data("hvc1".utf8)) != nil }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
