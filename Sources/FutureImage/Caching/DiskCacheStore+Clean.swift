extension DiskCacheStore {
  /// Cleans again as long as entries that were stored during the last cleaning make another cleaning due. Another cleaning cannot begin
  /// during a cleaning.
  func cleanWhileDueAgain(_ housekeeping: FutureImage.DiskCache.Housekeeping = .all) {
    // A failure is ignored here, because the next read or write of the same file reports it.
    while ledger.withLock({ $0.takeCleaningDueAgain() }) { try? clean(housekeeping) }
  }

  /// Counts the files in the directory. Removes half-written files without a writer, and entries that exceed the age limit or the byte
  /// limit.
  ///
  /// Continues after a failure, and throws the first failure at the end.
  /// - Parameter housekeeping: if `.limit`, only entries that exceed the byte limit are removed.
  func clean(_ housekeeping: FutureImage.DiskCache.Housekeeping = .all) throws {
    ledger.withLock { $0.beginCleaning() }
    defer { ledger.withLock { $0.endCleaning() } }
    var failures = FirstFailure()
    var found: [DiskCacheTrim.File] = []
    for folder in 0..<256 {
      let now = now()
      failures.attempt { found += try withFolder(folder) { try countLocked(folder, now, sweeps: housekeeping == .all) } }
    }
    // Read the clock again. Counting may take long, and entries that were stored in the meantime must not count as entries from the future.
    let now = now()
    let trim = housekeeping == .all ? trim(now) : DiskCacheTrim(maxBytes: maxBytes, maxAge: nil, now: now)
    for file in trim.files(toRemoveFrom: found, besides: ledger.withLock { $0.leftOver }) {
      failures.attempt { try remove(file) }
    }
    // If the clock was set back, earlier entries have modification times in the future. With these times, the entries would be removed
    // last, whether they are used or not, until the clock has caught up.
    for file in found where file.status.modified.timeIntervalSince(now) > Self.touchInterval {
      try? files.setModified(path(file.name), now)
    }
    try failures.rethrow()
  }

  /// Removes every entry and every half-written file, including the half-written files of other processes, which then write their files
  /// again. Files that this process is writing stay, because they were not stored before the call.
  ///
  /// Continues after a failure, and throws the first failure at the end.
  func removeAll() throws {
    var failures = FirstFailure()
    for folder in 0..<256 {
      withFolder(folder) {
        var names: [String] = []
        var isEmptied = failures.attempt { names = try files.namesIfPresent(in: folderPath(folder)) }
        for file in names where !failures.attempt({ try removeLocked(file, folder) }) { isEmptied = false }
        if isEmptied { ledger.withLock { $0.removedLeftOver(folder: folder) } }
      }
    }
    try failures.rethrow()
  }

  private func removeLocked(_ file: String, _ folder: Int) throws {
    if let name = DiskCacheName(folder: folder, file: file) {
      try removeLocked(name)
    } else if UnfinishedFiles.isLeftOver(file) {
      try files.deleteIfPresent("\(folderPath(folder))/\(file)")
    }
  }

  /// Returns the entries of a folder, and removes half-written files that are too old to have a writer. A newer half-written file may have
  /// a writer in another process. Such a file is counted, because it uses space.
  /// - Parameter sweeps: whether half-written files are removed at all.
  private func countLocked(_ folder: Int, _ now: Date, sweeps: Bool) throws -> [DiskCacheTrim.File] {
    var found: [DiskCacheTrim.File] = []
    var leftOver = 0
    for file in try files.namesIfPresent(in: folderPath(folder)) {
      let path = "\(folderPath(folder))/\(file)"
      let name = DiskCacheName(folder: folder, file: file)
      guard name != nil || UnfinishedFiles.isLeftOver(file), let status = try files.statusIfPresent(at: path), status.kind == .file else {
        continue
      }
      if let name {
        found.append(DiskCacheTrim.File(name: name, status: status))
        // Race: an unfinished file that stays after its process has ended.
      } else if sweeps, abs(now.timeIntervalSince(status.modified)) > Self.orphanAge {
        try files.deleteIfPresent(path)
      } else {
        leftOver += status.bytes
      }
    }
    let bytes = found.reduce(0) { $0 + $1.status.bytes }
    ledger.withLock { $0.set(folder: folder, bytes: bytes, count: found.count, leftOver: leftOver) }
    return found
  }
}

/// The first of several failures. Work continues after it, and it is rethrown at the end.
private struct FirstFailure {
  private var failure: (any Error)?

  /// - Returns: whether `body` succeeded.
  @discardableResult mutating func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      failure = failure ?? error
      return false
    }
  }

  func rethrow() throws {
    if let failure { throw failure }
  }
}
