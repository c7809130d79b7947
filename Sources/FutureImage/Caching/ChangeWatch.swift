/// Tells whether what is kept under a key was changed since somebody began to read it. Pure.
///
/// Only keys that are being read are remembered. A reader who finds the key changed must not put what it read in place of the change.
struct ChangeWatch {
  private struct Reading {
    var readers = 0
    var changes: UInt64 = 0
  }

  private var readings: [String: Reading] = [:]
  /// Under way: until they end their keys may still be on disk.
  private var removalsOfAll = 0

  var isEmpty: Bool { readings.isEmpty }

  /// The number of changes so far, for ``isUnchanged(_:since:)``. To be followed by ``endReading(_:)``.
  mutating func beginReading(_ key: String) -> UInt64 {
    readings[key, default: Reading()].readers += 1
    return changes(of: key)
  }

  mutating func endReading(_ key: String) {
    readings[key]?.readers -= 1
    if readings[key]?.readers == 0 { readings[key] = nil }
  }

  /// While the key is read.
  func changes(of key: String) -> UInt64 { readings[key]?.changes ?? 0 }

  func isUnchanged(_ key: String, since changes: UInt64) -> Bool { removalsOfAll == 0 && self.changes(of: key) == changes }

  mutating func noteChange(of key: String) {
    readings[key]?.changes += 1
  }

  /// All keys are being removed. What is read before ``endRemovalOfAll()`` may be what is about to go.
  mutating func beginRemovalOfAll() {
    removalsOfAll += 1
    noteChangeOfAll()
  }

  mutating func endRemovalOfAll() {
    removalsOfAll -= 1
    noteChangeOfAll()
  }

  private mutating func noteChangeOfAll() {
    for key in readings.keys { noteChange(of: key) }
  }
}
