/// The names of the temporary files that this process is writing.
///
/// A temporary file whose writer has ended looks like a temporary file whose writer is slow. This table distinguishes them for the files of
/// this process. Names are random, so a name alone identifies a file of this process, whatever its path is. The number of names is the
/// number of writes in progress.
enum UnfinishedFiles {
  private static let names = Lock<Set<String>>([])

  /// Calls `body` with a new name. Until `body` returns, no other code of this process removes the file with that name.
  static func withNewName<Result>(_ body: (String) throws -> Result) rethrows -> Result {
    let name = DiskCacheName.temporary()
    names.withLock { _ = $0.insert(name) }
    defer { names.withLock { _ = $0.remove(name) } }
    return try body(name)
  }

  /// Whether this process is writing a file with this name.
  static func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }

  /// Whether the name is that of a temporary file without a writer in this process.
  // Race: a file that is removed while it is written.
  static func isLeftOver(_ name: String) -> Bool { DiskCacheName.isTemporary(name) && !contains(name) }
}
