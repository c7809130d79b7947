/// The contents of a disk cache, as far as this process knows, and when to count again.
///
/// Each folder's figures are set by counting it, and changed by every later store and removal. Another process that shares the directory
/// changes them unnoticed; so writing a tenth of the limit is a reason to count again, even while the sum is below the limit.
struct DiskCacheLedger {
  private struct Folder {
    var bytes = 0
    var count = 0
    /// The part of the bytes that is in half-written files without a writer in this process.
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

  /// The bytes of half-written files without a writer in this process, which are part of ``bytes``.
  var leftOver: Int { folders.reduce(0) { $0 + $1.leftOver } }

  /// - Parameters:
  ///   - bytes: the bytes of the entries, headers included.
  ///   - leftOver: the bytes of the half-written files beside them.
  mutating func set(folder: Int, bytes: Int, count: Int, leftOver: Int = 0) {
    add(folder: folder, bytes: bytes + leftOver - folders[folder].bytes, count: count - folders[folder].count)
    folders[folder].leftOver = leftOver
  }

  /// Records that the folder's half-written files were removed.
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

  /// Returns true once when a cleaning is due; the caller cleans and then calls ``endCleaning()``.
  /// - Parameter countsFirst: whether a cleaning is due as long as the directory has not been counted.
  mutating func takeDueCleaning(countsFirst: Bool = true) -> Bool {
    guard !isCleaning, !isCounted && countsFirst || bytes > maxBytes || written > maxBytes / 10 else { return false }
    isCleaning = true
    return true
  }

  /// Returns the same after a cleaning, but only if something was stored since it began: files that cannot be removed stay over the limit.
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
