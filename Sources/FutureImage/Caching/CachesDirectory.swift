/// The program's own folder among the user's caches, and paths beneath it.
package enum CachesDirectory {
  /// Returns a folder named after the bundle, or after the program if it has no bundle. The program needs its own folder, because other
  /// programs use the same caches directory, except in an app's container.
  static func ofProgram() -> URL {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
    let name = programName()
    // A program may be started under any name, even under a name that a folder cannot have.
    let isPlain = !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && !name.utf8.contains(UInt8(ascii: "/"))
    return caches.appendingPathComponent(isPlain ? name : "FutureImage", isDirectory: true)
  }

  /// Returns the file at a relative path under a directory, by default the program's caches.
  ///
  /// Throws if the path could lead elsewhere: if it is absolute, contains a zero byte, has ".." as one of its parts, or contains a symbolic
  /// link that points out of the directory. Also throws if the path has no file name, because it is empty, or because it ends in "/" or in
  /// the part ".". No other characters have a special meaning, not even "~" and "%".
  static func file(_ path: String, under directory: URL = ofProgram()) throws(FutureImage.FileFailure) -> URL {
    func refused(_ why: String) -> FutureImage.FileFailure { FutureImage.FileFailure(.refused(why), path: path) }
    // Compare bytes, as the system does. In Swift, "/" followed by a combining accent is a single character that does not equal "/".
    let slash = UInt8(ascii: "/")
    let bytes = Array(path.utf8)
    guard !bytes.contains(0) else { throw refused("it has a zero byte; remove it") }
    guard bytes.first != slash else { throw refused("it is absolute; use a relative path, or a file URL") }
    guard let last = bytes.split(separator: slash, omittingEmptySubsequences: false).last, last != [], last != Array(".".utf8)[...] else {
      throw refused("it does not end in the name of a file; add a file name")
    }
    let parts = bytes.split(separator: slash).map { String(decoding: $0, as: UTF8.self) }.filter { $0 != "." }
    guard !parts.contains("..") else { throw refused("it has “..”; name a path in the caches directory") }

    var file = directory.path
    let root = realPath(file)
    for part in parts {
      file += "/" + part
      var status = stat()
      // If this path does not exist, no link below it can lead out of the directory.
      guard lstat(file, &status) == 0 else { break }
      guard status.st_mode & S_IFMT == S_IFLNK else { continue }
      guard let root, let target = realPath(file), target == root || target.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
        throw refused("a symbolic link in it leads out of \(directory.path); remove the link")
      }
    }
    return URL(fileURLWithPath: directory.path + "/" + parts.joined(separator: "/"), isDirectory: false)
  }

  /// Returns the path with symbolic links resolved; nil if it does not exist.
  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The container that the programs of an app group share.
enum AppGroup {
  /// Whether the program with this bundle is an app extension.
  ///
  /// The name of an extension's bundle ends in `.appex` (Apple, App Extension Programming Guide, "Creating an App Extension").
  static func isExtension(_ bundle: URL) -> Bool { bundle.pathExtension.lowercased() == "appex" }
}
