/// The folders of disk tiers without symbolic links, as far as threads that may wait for the disk have resolved them.
///
/// Two tiers can name one folder by two paths. A tier is nearly always read before it is written to, so its folder is known by then. A
/// folder that was never read counts under its given path.
struct FolderNames {
  /// The number of folders beyond which the least recently used are forgotten.
  static let limit = 1024
  /// The folder names of the process.
  static let shared = Lock(FolderNames())

  private var names = MemoryCache<String, String>(countLimit: limit)

  var count: Int { names.count }

  subscript(folder: String) -> String? {
    get { names.peek(folder) }
    set {
      // Only paths leave the cache.
      guard let newValue else { return }
      _ = names.insert(newValue, forKey: folder)
    }
  }

  /// Resolves the folder, unless it is known. Waits for the disk.
  static func resolve(_ folder: String) {
    guard shared.withLock({ $0[folder] }) == nil else { return }
    let resolved = resolved(folder)
    shared.withLock { $0[folder] = resolved }
  }

  static func known(_ folder: String) -> String { shared.withLock { $0[folder] } ?? folder }

  /// Returns the path without ".", "..", and doubled slashes. Does not access the disk.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Resolves the links. Below a path that does not exist, there are none.
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
