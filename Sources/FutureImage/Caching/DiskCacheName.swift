/// Where the entry of a key lies in a disk cache: one of 256 folders, and a name in it.
///
/// The digits are those of the SHA-256 of the key's length in bytes (eight bytes, little-endian) and its UTF-8: any string is a key,
/// whatever the disk allows in names, and keys that differ only in case or in composed accents stay apart on every disk.
struct DiskCacheName: Hashable, Sendable {
  /// 0 ..< 256.
  let folder: Int
  /// 62 hexadecimal digits.
  let file: String

  init(key: String) {
    var bytes = withUnsafeBytes(of: UInt64(key.utf8.count).littleEndian) { Array($0) }
    bytes += key.utf8
    let digest = bytes.withUnsafeBytes { SHA256.digest(of: $0) }
    folder = Int(digest.words[0] >> 24)
    file = digest.hexadecimal(from: 2)
  }

  /// Nil for a name that is no entry's.
  init?(folder: Int, file: String) {
    guard file.utf8.count == 62, file.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.folder = folder
    self.file = file
  }

  /// Two hexadecimal digits.
  static func folderName(_ folder: Int) -> String {
    (folder < 16 ? "0" : "") + String(folder, radix: 16)
  }

  /// A file that is being written, in the folder that it will stay in: a rename is one step only within one disk.
  static func temporary() -> String {
    temporaryPrefix + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

  private static let temporaryPrefix = ".futureimage-new-"

  private static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character)
  }
}
