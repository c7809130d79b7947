import FutureImage

/// A record of whether the value under a key has changed since a reader began to read it. This type is pure.
///
/// Only keys that are being read are recorded. If the key has changed, the reader must not store the value that it read, because that value
/// would replace the change.
struct ChangeWatch {
  private struct Reading {
    var readers = 0
    var changes: UInt64 = 0
  }

  private var readings: [String: Reading] = [:]
  /// The number of removals of all keys that are in progress. Until they end, the keys may still be on disk.
  private var removalsOfAll = 0

  var isEmpty: Bool { readings.isEmpty }

  /// Begins to watch a key. Returns its number of changes so far, for ``isUnchanged(_:since:)``. Call ``endReading(_:)`` afterward.
  mutating func beginReading(_ key: String) -> UInt64 {
    readings[key, default: Reading()].readers += 1
    return changes(of: key)
  }

  mutating func endReading(_ key: String) {
    readings[key]?.readers -= 1
    if readings[key]?.readers == 0 { readings[key] = nil }
  }

  /// Returns the number of changes of the key since the first of its current readers began; 0 for a key without readers.
  func changes(of key: String) -> UInt64 { readings[key]?.changes ?? 0 }

  func isUnchanged(_ key: String, since changes: UInt64) -> Bool { removalsOfAll == 0 && self.changes(of: key) == changes }

  mutating func noteChange(of key: String) {
    readings[key]?.changes += 1
  }

  /// Records that all keys are being removed. A value that is read before ``endRemovalOfAll()`` may be about to be removed.
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
