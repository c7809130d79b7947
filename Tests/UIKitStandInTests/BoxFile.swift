import Foundation

/// A file of boxes (ISO/IEC 14496-12, 4.2), from which a test makes another file.
enum BoxFile {
  private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl"]

  static func box(_ name: String, _ content: Data) -> Data { ColorFile.bigEndian(UInt32(8 + content.count)) + Data(name.utf8) + content }

  static func numbers(_ numbers: [UInt32]) -> Data { numbers.map(ColorFile.bigEndian).reduce(Data(), +) }

  /// Returns the file with some boxes replaced.
  /// - Parameter replacement: returns the new content of a box, or nil to remove the box. It is called for boxes inside of tracks, too.
  static func changed(_ data: Data, _ replacement: (_ name: String, _ content: Data) -> Data?) -> Data {
    var (result, rest) = (Data(), Data(data))
    while rest.count >= 8 {
      let length = Int(PNGChunks.number(rest, at: 0))
      let name = String(decoding: rest[4..<8], as: UTF8.self)
      var content = Data(rest[8..<length])
      if containers.contains(name) { content = changed(content, replacement) }
      if let content = replacement(name, content) { result += box(name, content) }
      rest = Data(rest.dropFirst(length))
    }
    return result
  }
}
