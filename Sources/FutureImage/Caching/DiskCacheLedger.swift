/// What a disk cache holds, as far as this process knows, and when to look again.
///
/// Each folder's figures are set by counting it and changed by every store and removal since. Another process that shares the directory
/// changes them unseen; therefore a tenth of the limit written is a reason to count again, even while the sum is below the limit.
struct DiskCacheLedger {
  private struct Folder {
    var bytes = 0
    var count = 0
    /// Part of the bytes: of half-written files without a writer in this process.
    var leftOver = 0
  }

  let maxBytes: Int
  private(set) var bytes = 0
  private(set) var count = 0
  private var folders = [Folder](repeating: Folder(), count: 256)
  private var written = 0
  private var isCounted = false
  private var isCleaning = false

  init(maxBytes: Int) {
    self.maxBytes = maxBytes
  }

  /// Bytes of half-written files without a writer in this process; they are part of ``bytes``.
  var leftOver: Int { folders.reduce(0) { $0 + $1.leftOver } }

  /// - Parameters:
  ///   - bytes: Of the entries, headers included.
  ///   - leftOver: Of the half-written files beside them.
  mutating func set(folder: Int, bytes: Int, count: Int, leftOver: Int = 0) {
    add(folder: folder, bytes: bytes + leftOver - folders[folder].bytes, count: count - folders[folder].count)
    folders[folder].leftOver = leftOver
  }

  /// The half-written files of the folder were removed.
  mutating func removedLeftOver(folder: Int) {
    add(folder: folder, bytes: -folders[folder].leftOver, count: 0)
    folders[folder].leftOver = 0
  }

  mutating func add(folder: Int, bytes: Int, count: Int) {
    folders[folder].bytes += bytes
    folders[folder].count += count
    self.bytes += bytes
    self.count += count
  }

  mutating func wrote(bytes: Int) {
    written += bytes
  }

  /// True once, when it is time to clean; the caller does so, and ends with ``endCleaning()``.
  /// - Parameter countsFirst: whether it is time as long as the directory was not counted.
  mutating func takeDueCleaning(countsFirst: Bool = true) -> Bool {
    guard !isCleaning, !isCounted && countsFirst || bytes > maxBytes || written > maxBytes / 10 else { return false }
    isCleaning = true
    return true
  }

  /// The same behind a cleaning: only if something was stored since that began, as what cannot be removed stays too much.
  mutating func takeCleaningDueAgain() -> Bool { written > 0 && takeDueCleaning() }

  mutating func beginCleaning() {
    isCleaning = true
    written = 0
  }

  mutating func endCleaning() {
    isCleaning = false
    isCounted = true
  }
}
