/// The location of a key's entry in a disk cache: one of 256 folders, and a file name in that folder.
///
/// The names consist of the hexadecimal digits of a SHA-256 digest. The input of the digest is the number of bytes of the key's UTF-8 (in
/// eight bytes, little-endian), and then these bytes. So any string can be a key, whatever file names the disk allows. Keys that differ
/// only in case or in composed accents have different names on every disk.
///
/// The file name ends in the version of the format, so that two versions of the library in one directory never use each other's files:
///
/// | version | name | handling by this version |
/// | --- | --- | --- |
/// | 1 to 3 | the digits | never read; removed if unused for the maximum age, or if the directory exceeds its limit |
/// | 4 | the digits and `.4` | this version's own file |
/// | 5 and later | the digits, a dot, and the version | a foreign file: neither read nor counted nor removed |
///
/// A newer version knows the rules of older versions and removes their files. An older version leaves the files of newer versions alone.
/// All versions record the last use of an entry as its modification time. So an entry that a program with an older version still uses is
/// not removed as unused.
struct DiskCacheName: Hashable, Sendable {
  /// A number in 0 ..< 256.
  let folder: Int
  /// 62 hexadecimal digits; from version 4 on, also a dot and the version.
  let file: String

  init(key: String) {
    var bytes = withUnsafeBytes(of: UInt64(key.utf8.count).littleEndian) { Array($0) }
    bytes += key.utf8
    let digest = bytes.withUnsafeBytes { SHA256.digest(of: $0) }
    folder = Int(digest.words[0] >> 24)
    file = digest.hexadecimal(from: 2) + Self.ending
  }

  /// Parses a file name. Returns nil if the name is neither a name of this version nor a name of an older version.
  init?(folder: Int, file: String) {
    guard file.utf8.prefix(62).allSatisfy(Self.isDigit), file.utf8.count == 62 || file.utf8.count == 62 + Self.ending.utf8.count else {
      return nil
    }
    guard file.utf8.count == 62 || file.hasSuffix(Self.ending) else { return nil }
    self.folder = folder
    self.file = file
  }

  /// Returns the name of the folder: two hexadecimal digits.
  static func folderName(_ folder: Int) -> String {
    (folder < 16 ? "0" : "") + String(folder, radix: 16)
  }

  /// Returns a name for a file that is being written. The file is in its final folder, because a rename is atomic only within one disk.
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
