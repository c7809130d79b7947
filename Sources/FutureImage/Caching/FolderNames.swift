/// The resolved paths of disk tiers' folders, without symbolic links. Only threads that may wait for the disk resolve a path.
///
/// Two tiers can name the same folder by different paths. A tier is nearly always read before it is written to, so its folder is resolved
/// by then. A folder that was never read is identified by its given path.
struct FolderNames {
  /// The maximum number of folders. If it is exceeded, the folders that were resolved first are removed.
  static let limit = 1024
  /// The folder names of the process.
  static let shared = Lock(FolderNames())

  private var names = MemoryCache<String, String>(countLimit: limit)

  var count: Int { names.count }

  subscript(folder: String) -> String? {
    get { names.peek(folder) }
    set {
      // The values that leave the cache are only paths, which may be released inside a lock.
      guard let newValue else { return }
      _ = names.insert(newValue, forKey: folder)
    }
  }

  /// Resolves the folder, unless it is already resolved. Waits for the disk.
  static func resolve(_ folder: String) {
    guard shared.withLock({ $0[folder] }) == nil else { return }
    let resolved = resolved(folder)
    shared.withLock { $0[folder] = resolved }
  }

  /// Returns the resolved path if it is known, and otherwise the given path.
  static func known(_ folder: String) -> String { shared.withLock { $0[folder] } ?? folder }

  /// Returns the path without ".", "..", and doubled slashes. Does not access the disk.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the path with its symbolic links resolved. The part of the path that does not exist has no links, and stays unchanged.
  private static func resolved(_ folder: String) -> String {
    var missing: [Substring] = []
    var parts = folder.split(separator: "/")
    while true {
      if let real = realpath("/" + parts.joined(separator: "/"), nil) {
        defer { free(real) }
        return plain(([String(cString: real)] + missing.map { String($0) }).joined(separator: "/"))
      }
      guard let last = parts.popLast() else { return folder }
      missing.insert(last, at: 0)
    }
  }
}
