/// Which entries of a disk cache have to go. Pure.
///
/// First goes what was not used for longer than the age allowed. If the rest is still over the limit of bytes, the least recently used
/// go until at most nine tenths of the limit are left, so that the next store does not trim again.
///
/// | limit | sizes, oldest first | what goes |
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

  /// The entries to remove, in this order.
  /// - Parameter other: Bytes of other files, which count towards the limit and stay.
  func files(toRemoveFrom files: [File], besides other: Int = 0) -> [File] {
    var removed = files.filter { isExpired($0.status) }
    var kept = files.filter { !isExpired($0.status) }
    var bytes = kept.reduce(other) { $0 + $1.status.bytes }
    guard bytes > maxBytes else { return removed }
    // The name decides between equal times, so that two processes choose the same.
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
  /// A time that is still to come was written before the clock was set back; it counts as now.
  fileprivate func lastUse(_ now: Date) -> Date { min(status.modified, now) }
}
