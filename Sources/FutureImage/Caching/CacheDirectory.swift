/// Directory names for a ``FutureImage/Cache``: any string has one, and no two strings have the same.
enum CacheDirectory {
  /// Returns a readable name if that is safe: for a short name of letters and digits, and perhaps blanks, hyphens, and underscores.
  static func name(for name: String) -> String {
    let isPlain = !name.isEmpty && name.utf8.count <= 64 && name.utf8.allSatisfy(isPlain) && name.utf8.contains { $0 > UInt8(ascii: "0") }
    // Capital letters would be ambiguous on disks that ignore case.
    return isPlain ? "Cache \(name)" : "Cache-\(SHA256.hex(of: Data(name.utf8)))"
  }

  /// The name of a format's directory.
  static func name(ofFormat format: String) -> String {
    format.isEmpty ? "original" : "format-\(SHA256.hex(of: Data(format.utf8)))"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte) || [32, 45, 95].contains(byte)
  }
}
