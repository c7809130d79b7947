/// Selects the entries that a disk cache removes. A pure value.
///
/// Entries that were not used for longer than the maximum age have expired, and are removed first. If the others still exceed the byte
/// limit, the least recently used entries are removed until at most nine tenths of the limit are in use. So the next store does not trim
/// again.
///
/// | limit | sizes, oldest first | removed |
/// | ---: | --- | --- |
/// | 100 | 40 40 20 | nothing: 100 is not over 100 |
/// | 100 | 40 40 30 | 40: 70 is within 90 |
/// | 100 | 10 40 51 | 10, 40: 91 is not within 90 |
struct DiskCacheTrim {
  struct File: Hashable, Sendable {
    var name: DiskCacheName
    var status: FileStatus
  }

  var maxBytes: Int
  var maxAge: TimeInterval?
  var now: Date

  /// Returns the entries to remove, in the order of their removal.
  /// - Parameter other: the bytes of other files, which count toward the limit and stay.
  func files(toRemoveFrom files: [File], besides other: Int = 0) -> [File] {
    var removed = files.filter { isExpired($0.status) }
    var kept = files.filter { !isExpired($0.status) }
    var bytes = kept.reduce(other) { $0 + $1.status.bytes }
    guard bytes > maxBytes else { return removed }
    // Entries with equal times are ordered by name, so that two processes select the same entries.
    kept.sort { ($0.lastUse(now), $0.name.folder, $0.name.file) < ($1.lastUse(now), $1.name.folder, $1.name.file) }
    let target = maxBytes - maxBytes / 10
    for file in kept {
      if bytes <= target { break }
      bytes -= file.status.bytes
      removed.append(file)
    }
    return removed
  }

  func isExpired(_ status: FileStatus) -> Bool {
    guard let maxAge else { return false }
    return now.timeIntervalSince(status.modified) > maxAge
  }
}

extension DiskCacheTrim.File {
  /// Returns the time of the last use. A time in the future was recorded before the clock was set back, and counts as now.
  fileprivate func lastUse(_ now: Date) -> Date { min(status.modified, now) }
}
