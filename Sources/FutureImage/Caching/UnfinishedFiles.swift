/// The names of the temporary files that this process is writing.
///
/// A temporary file whose writer died looks like one whose writer is slow. Names are random, so a name is enough to recognize a file of
/// this process, whatever path leads to it. There are as many names as writes in progress.
enum UnfinishedFiles {
  private static let names = Lock<Set<String>>([])

  /// Calls `body` with a new name, whose file this process does not remove meanwhile.
  static func withNewName<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let name = DiskCacheName.temporary()
    names.withLock { _ = $0.insert(name) }
    defer { names.withLock { _ = $0.remove(name) } }
    return try body(name)
  }

  /// Whether this process is writing the file.
  static func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

  /// Whether the name is that of a temporary file without a writer in this process.
  // Race: a file that is removed while it is written.
  static func isLeftOver(_ name: String) -> Bool { DiskCacheName.isTemporary(name) && !contains(name) }
}
