/// The number of files and bytes in a disk cache, as far as this process knows them. The ledger decides when to count them again.
///
/// Counting a folder sets its numbers, and every later store and removal changes them. If another process shares the directory, this
/// process does not notice the changes that the other process makes. So this process counts again after it has written a tenth of the
/// limit, even if the sum is below the limit.
struct DiskCacheLedger {
  private struct Folder {
    var bytes = 0
    var count = 0
    /// The part of `bytes` that is in half-written files without a writer in this process.
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
  ///   - leftOver: the bytes of the half-written files in the same folder.
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

  /// Returns true if a cleaning is due and no cleaning is in progress. The caller then cleans and calls ``endCleaning()``.
  /// - Parameter countsFirst: whether a cleaning is due as long as the directory has not been counted.
  mutating func takeDueCleaning(countsFirst: Bool = true) -> Bool {
    guard !isCleaning, !isCounted && countsFirst || bytes > maxBytes || written > maxBytes / 10 else { return false }
    isCleaning = true
    return true
  }

  /// Returns true if a cleaning is due and something was stored since the last cleaning began. Without the second condition, files that
  /// cannot be removed would cause one cleaning after another.
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
