/// The blocking half of ``FutureImage/DiskCache``, which reads, writes, and removes files. Its methods may be called on any thread, and
/// several calls may run at the same time.
///
/// Reads acquire no lock, because a rename replaces a complete file with a complete file. Renaming, removing, and counting change the
/// numbers of files and bytes that are recorded for a folder. Within this process, these operations run one at a time in each folder. So
/// the numbers are exact as long as no other process writes there.
final class DiskCacheStore: Sendable {
  /// The age in seconds beyond which the next use of a file updates its modification time. Also the longest time by which a date may be in
  /// the future before it is corrected.
  static let touchInterval: TimeInterval = 3600
  /// The age in seconds beyond which a half-written file counts as a file without a writer.
  static let orphanAge: TimeInterval = 3600
  /// The size in bytes above which a file is not read on the caller's thread, because its checksum alone would block that thread for
  /// milliseconds.
  static let largestAtOnce = 4 << 20

  /// The size in bytes that every entry may have, even if it is a large share of the cache.
  static let smallEntry = 1 << 20

  let directory: String
  let maxBytes: Int
  let maxAge: TimeInterval?
  /// Whether an expired entry stays until another process removes it.
  private let keepsExpired: Bool
  let files: any FileSystem
  let now: @Sendable () -> Date
  let ledger: Lock<DiskCacheLedger>
  // Whether the disk answers without a wait if a file is in memory. Each read on a thread that may wait checks this, until the answer is
  // true.
  private let answersAtOnce = Lock(false)
  // The value of each lock is the number of its folder. The thread sanitizer reports a lock around an empty value as a race, because a
  // value without a size has the address of its neighbor.
  private let folderLocks = (0..<256).map { Lock($0, rank: .files) }

  init(
    directory: String, limits: (bytes: Int, age: TimeInterval?), keepsExpired: Bool = false, files: any FileSystem,
    now: @escaping @Sendable () -> Date
  ) {
    self.directory = directory
    (maxBytes, maxAge) = limits
    self.keepsExpired = keepsExpired
    self.files = files
    self.now = now
    ledger = Lock(DiskCacheLedger(maxBytes: maxBytes))
  }

  /// Returns the entry if the system has its file in memory and the entry needs no change. Never waits for the disk.
  ///
  /// Returns nil in all other cases, for example if the entry is missing, damaged, or expired, if the modification time of its file must be
  /// updated, or if a call failed. The caller then calls ``entry(forKey:)``.
  func entryAtOnce(forKey key: String) -> FutureImage.CacheEntry? {
    guard answersAtOnce.withLock({ $0 }), let file = files.openAtOnce(path(DiskCacheName(key: key))) else { return nil }
    defer { try? files.closeFile(file) }
    guard let status = try? files.status(of: file), status.kind == .file, status.bytes <= min(maxBytes, Self.largestAtOnce) else {
      return nil
    }
    let now = now()
    guard !trim(now).isExpired(status), !isDueForTouch(status, now),
      let bytes = files.readWholeAtOnce(file, count: status.bytes), let entry = DiskCacheFile.entry(in: bytes, key: key),
      !isFromFuture(entry, now)
    else { return nil }
    return entry
  }

  /// Whether the system knows, without waiting for the disk, that there is no entry. It knows this after an earlier request for the key,
  /// and as long as the entry's folder or the whole directory is missing.
  func isKnownMissing(_ key: String) -> Bool { files.isKnownMissing(path(DiskCacheName(key: key))) }

  /// Returns the entry; nil if it is missing or not usable. Removes an unusable file, unless the file has expired and `keepsExpired` is
  /// true. Waits for the disk.
  func entry(forKey key: String) throws -> FutureImage.CacheEntry? {
    let name = DiskCacheName(key: key)
    guard let file = try files.openIfPresent(path(name)) else { return nil }
    defer { try? files.closeFile(file) }
    let status = try files.status(of: file)
    try status.requireFile(file.path)
    let now = now()
    let isExpired = trim(now).isExpired(status)
    if isExpired, keepsExpired { return nil }
    // This cache never writes a file that is larger than the whole limit, so a larger file is not read into memory for a check.
    guard status.bytes <= maxBytes, !isExpired,
      let entry = DiskCacheFile.entry(in: try files.readWhole(file, count: status.bytes), key: key)
    else {
      // Even if the removal fails, the entry is a miss.
      try? remove(DiskCacheTrim.File(name: name, status: status))
      return nil
    }
    if !answersAtOnce.withLock({ $0 }), files.answersAtOnce(file) { answersAtOnce.withLock { $0 = true } }
    if isFromFuture(entry, now) {
      // The clock was set back after the entry was received. Store corrected times. Otherwise, the entry would become fresh again when the
      // clock reaches the time of receipt. Store nothing if the file was replaced or used in the meantime.
      let rebased = entry.rebased(to: now)
      try? write([DiskCacheFile.header(for: rebased, key: key), rebased.body], to: name) { $0 == status }
      return rebased
    }
    // A failure is ignored, because the entry is also valid on a read-only disk.
    if isDueForTouch(status, now) { try? files.setModified(file.path, now) }
    return entry
  }

  /// Stores the entry atomically: the file is written under another name and then renamed. The method does not wait until the file reaches
  /// the disk (no `fsync`). After a power failure, an incomplete file fails its checksum and is a miss.
  func store(_ entry: FutureImage.CacheEntry, forKey key: String) throws {
    let name = DiskCacheName(key: key)
    let header = DiskCacheFile.header(for: entry, key: key)
    let size = header.count + entry.body.count
    guard size <= largestEntry else {
      // Remove the stored entry, because it is older than the entry that does not fit.
      try remove(forKey: key)
      throw FutureImage.FileFailure(.tooLarge(bytes: size, limit: largestEntry), path: path(name))
    }
    try write([header, entry.body], to: name) { _ in true }
  }

  func remove(forKey key: String) throws {
    let name = DiskCacheName(key: key)
    try withFolder(name.folder) { try removeLocked(name) }
  }

  // MARK: - Shared with cleaning

  func path(_ name: DiskCacheName) -> String { "\(folderPath(name.folder))/\(name.file)" }

  func folderPath(_ folder: Int) -> String { "\(directory)/\(DiskCacheName.folderName(folder))" }

  func trim(_ now: Date) -> DiskCacheTrim { DiskCacheTrim(maxBytes: maxBytes, maxAge: maxAge, now: now) }

  func withFolder<Result>(_ folder: Int, _ body: () throws -> Result) rethrows -> Result {
    try folderLocks[folder].withLock { _ in try body() }
  }

  /// Removes the file, unless it was replaced or used after its status was read.
  func remove(_ file: DiskCacheTrim.File) throws {
    try withFolder(file.name.folder) {
      guard try files.statusIfPresent(at: path(file.name)) == file.status else { return }
      try removeLocked(file.name)
    }
  }

  /// Removes the file. Call this method inside ``withFolder(_:_:)``.
  func removeLocked(_ name: DiskCacheName) throws {
    let path = path(name)
    guard let status = try files.statusIfPresent(at: path) else { return }
    try status.requireFile(path)
    try files.deleteIfPresent(path)
    ledger.withLock { $0.add(folder: name.folder, bytes: -status.bytes, count: -1) }
  }

  // MARK: - Private

  /// The largest size in bytes of an entry. It is an eighth of the cache, so that a few large images do not displace hundreds of others, or
  /// ``smallEntry`` if that is larger.
  var largestEntry: Int { min(maxBytes, max(maxBytes / 8, Self.smallEntry)) }

  private func isDueForTouch(_ status: FileStatus, _ now: Date) -> Bool {
    abs(now.timeIntervalSince(status.modified)) > Self.touchInterval
  }

  private func isFromFuture(_ entry: FutureImage.CacheEntry, _ now: Date) -> Bool {
    entry.receivedAt.map { $0.timeIntervalSince(now) > Self.touchInterval } ?? false
  }

  /// - Parameter isWanted: returns whether to replace the existing file; called when all parts are written.
  private func write(_ parts: [Data], to name: DiskCacheName, where isWanted: (FileStatus?) -> Bool) throws {
    let (path, size) = (path(name), parts.reduce(0) { $0 + $1.count })
    try files.writeAndPlace(parts, in: folderPath(name.folder), makeFolder: { try makeFolder(name.folder) }) { temporary in
      // A failure is ignored. If the disk does not allow setting the time, a file that was just written has about this time anyway.
      try? files.setModified(temporary, now())
      try withFolder(name.folder) {
        let old = try files.statusIfPresent(at: path)
        // Renaming would silently replace a symbolic link, and would fail for a directory. Both are reported, and stay.
        try old?.requireFile(path)
        guard isWanted(old) else { return try files.deleteIfPresent(temporary) }
        try files.move(temporary, to: path)
        ledger.withLock { ledger in
          ledger.add(folder: name.folder, bytes: size - (old?.bytes ?? 0), count: old == nil ? 1 : 0)
          ledger.wrote(bytes: size)
        }
      }
    }
  }

  /// - Returns: whether the folder was missing.
  private func makeFolder(_ folder: Int) throws -> Bool {
    try withFolder(folder) {
      guard try files.makeDirectories(folderPath(folder)) else { return false }
      // A folder that was missing is empty, whatever was counted before it was removed.
      ledger.withLock { $0.set(folder: folder, bytes: 0, count: 0) }
      return true
    }
  }
}
