/// The room for changes that wait for disk tiers or are being made. All tiers share it. This type is a pure value.
///
/// A group consists of the tiers whose writes may all hang at the same time, such as the files of one folder. A group may use at most as
/// much room as then remains free. So one group may use half of the whole room, and a second group half of the rest. Groups that hang never
/// use all of the room, so some room is always left for another group.
struct WriteRoom {
  struct Use {
    var bytes = 0
    var entries = 0
  }

  /// The byte limit of all tiers together. A change of any size fits if no other change has bytes.
  static let byteLimit = 128 << 20
  /// The limit on the number of changes, including removals.
  static let entryLimit = 32_768

  private(set) var use = Use()
  private var groups: [String: Use] = [:]

  /// Adds bytes and entries to a group, if there is room for them.
  /// - Returns: false if there is no room; nothing is then added.
  mutating func reserve(_ bytes: Int, entries: Int, of group: String) -> Bool {
    let taken = groups[group] ?? Use()
    let fits = bytes == 0 || use.bytes == 0 || taken.bytes + bytes <= Self.byteLimit - use.bytes - bytes
    guard fits, entries == 0 || taken.entries + entries <= Self.entryLimit - use.entries - entries else { return false }
    count(bytes, entries: entries, of: group)
    return true
  }

  /// Adds bytes and entries to a group. Negative numbers subtract them.
  mutating func count(_ bytes: Int, entries: Int, of group: String) {
    var taken = groups[group] ?? Use()
    taken.bytes += bytes
    taken.entries += entries
    use.bytes += bytes
    use.entries += entries
    groups[group] = taken.bytes == 0 && taken.entries == 0 ? nil : taken
  }
}
