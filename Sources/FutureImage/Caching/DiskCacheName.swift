/// The location of a key's entry in a disk cache: one of 256 folders, and a name in it.
///
/// The digits are those of the SHA-256 of the key's length in bytes (eight bytes, little-endian) and its UTF-8. So any string is a key,
/// whatever names the disk allows, and keys that differ only in case or in composed accents stay distinct on every disk.
///
/// The name ends in the version of the format, so that two versions of the library in one directory never use each other's files:
///
/// | version | name | handling by this version |
/// | --- | --- | --- |
/// | 1 to 3 | the digits | never read; removed when nothing has used it for the longest allowed time, or the directory is over its limit |
/// | 4 | the digits and `.4` | its own |
/// | 5 and later | the digits, a dot, and the version | a foreign file: neither read nor counted nor removed |
///
/// A newer version knows the rules of an older one and cleans up after it, but not vice versa. All versions record the last use of an entry
/// as its modification time, so an entry that a program with an older version still uses is not removed as abandoned.
struct DiskCacheName: Hashable, Sendable {
  /// A number in 0 ..< 256.
  let folder: Int
  /// 62 hexadecimal digits, a dot, and the version.
  let file: String

  init(key: String) {
    var bytes = withUnsafeBytes(of: UInt64(key.utf8.count).littleEndian) { Array($0) }
    bytes += key.utf8
    let digest = bytes.withUnsafeBytes { SHA256.digest(of: $0) }
    folder = Int(digest.words[0] >> 24)
    file = digest.hexadecimal(from: 2) + Self.ending
  }

  /// Parses a file name; nil for a name that is neither this version's nor an older one's.
  init?(folder: Int, file: String) {
    guard file.utf8.prefix(62).allSatisfy(Self.isDigit), file.utf8.count == 62 || file.utf8.count == 62 + Self.ending.utf8.count else {
      return nil
    }
    guard file.utf8.count == 62 || file.hasSuffix(Self.ending) else { return nil }
    self.folder = folder
    self.file = file
  }

  /// Two hexadecimal digits.
  static func folderName(_ folder: Int) -> String {
    (folder < 16 ? "0" : "") + String(folder, radix: 16)
  }

  /// Returns the name of a file while it is written, in its final folder: a rename is atomic only within one disk.
  static func temporary() -> String {
    temporaryPrefix + String(Scheduling.random(), radix: 16)
  }

  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(temporaryPrefix) }

  private static let temporaryPrefix = ".futureimage-new-"
  private static let ending = ".\(DiskCacheFile.version)"

  private static func isDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(character)
  }
}
