/// A history of the calls for one key of a cache until its process ended. It checks the entry that the next process finds on disk.
struct CrashHistory {
  private struct Call {
    /// The version that the call set; nil if the call removed the value.
    let version: Int?
    let began: Int
    var ended = Int.max
    /// Whether the change was on disk before the process ended.
    var isSettled = false
  }

  private var calls: [Call] = []
  private(set) var lastVersion = 0

  init() {}

  /// Creates a history that begins with the entry that a new process has found on disk.
  /// - Parameters:
  ///   - version: the version in the entry; nil if there is no entry.
  ///   - lastVersion: the last version that was set for any key, so that no version is used twice.
  init(beginningWith version: Int?, _ lastVersion: Int) {
    calls = [Call(version: version, began: -1, ended: 0, isSettled: true)]
    self.lastVersion = lastVersion
  }

  /// Records the beginning of a call.
  /// - Parameter version: the version that the call sets; nil if the call removes the value.
  /// - Returns: the number of the call.
  mutating func begin(_ version: Int?, at moment: Int) -> Int {
    calls.append(Call(version: version, began: moment))
    lastVersion = max(lastVersion, version ?? 0)
    return calls.count - 1
  }

  mutating func end(_ call: Int, at moment: Int) { calls[call].ended = moment }

  /// Records the end of a call, and that its change is on disk by then.
  mutating func settle(_ call: Int, at moment: Int) {
    end(call, at: moment)
    calls[call].isSettled = true
  }

  /// Records that the changes of all calls that ended before that moment are on disk.
  mutating func settle(before moment: Int) {
    for index in calls.indices where calls[index].ended < moment { calls[index].isSettled = true }
  }

  /// Checks the entry that a new process has found on disk.
  /// - Parameter version: the version in the entry; nil if there is no entry.
  /// - Returns: the fault; nil if the entry is right.
  func fault(of version: Int?) -> String? {
    guard !calls.isEmpty else { return version.map { "\($0) is on disk, and no call set it" } }
    let sources = calls.filter { $0.version == version }
    if sources.isEmpty { return "\(version.map { "\($0)" } ?? "nothing") is on disk, and no call had this result" }
    let isRight = sources.contains { source in !calls.contains { $0.isSettled && $0.began > source.ended } }
    return isRight ? nil : "\(version.map { "\($0)" } ?? "nothing") is on disk, and a later change had reached the disk"
  }
}
