/// The room for changes that wait for disk tiers or are being made, over all tiers. Pure.
///
/// A group of tiers may hold at most as much room as it leaves free: one group half of the whole, a second one half of the rest. So groups
/// that hang never shut out another one.
struct WriteRoom {
  struct Use {
    var bytes = 0
    var entries = 0
  }

  /// The byte limit over all tiers; one change of any size fits if there is no other with bytes.
  static let byteLimit = 128 << 20
  /// The limit of changes, which include removals.
  static let entryLimit = 32_768

  private(set) var use = Use()
  private var groups: [String: Use] = [:]

  /// Counts bytes and entries of a group.
  /// - Returns: false if there is no room.
  mutating func reserve(_ bytes: Int, entries: Int, of group: String) -> Bool {
    let taken = groups[group] ?? Use()
    let fits = bytes == 0 || use.bytes == 0 || taken.bytes + bytes <= Self.byteLimit - use.bytes - bytes
    guard fits, entries == 0 || taken.entries + entries <= Self.entryLimit - use.entries - entries else { return false }
    count(bytes, entries: entries, of: group)
    return true
  }

  /// Counts bytes and entries of a group, fewer if they are negative.
  mutating func count(_ bytes: Int, entries: Int, of group: String) {
    var taken = groups[group] ?? Use()
    taken.bytes += bytes
    taken.entries += entries
    use.bytes += bytes
    use.entries += entries
    groups[group] = taken.bytes == 0 && taken.entries == 0 ? nil : taken
  }
}
