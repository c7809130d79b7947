/// Finds slots, which are positions in a caller's array, by the hash of the key stored there. A hash table with open addressing and linear
/// probing. It is at most four fifths full, because a table that fits the processor's caches is worth more than a shorter way to the next
/// free bucket.
///
/// A `Dictionary` from keys to slots would store every key a second time, and read it there and at its slot. Here, a lookup reads one word,
/// and then the slot.
struct SlotIndex {
  /// 0 if empty; otherwise, the hash's lower half above, and the slot plus one below.
  private var buckets: [UInt64]
  private var count = 0

  init() {
    buckets = [UInt64](repeating: 0, count: 16)
  }

  /// Returns the slot of the key, if it is there: the one of those with this hash for which `isKey` returns true.
  func slot(_ hash: Int, where isKey: (Int) -> Bool) -> Int? {
    let fragment = UInt64(UInt32(truncatingIfNeeded: hash))
    return buckets.withUnsafeBufferPointer { buckets in
      let mask = buckets.count - 1
      // The mask limits it to the buckets. The loop ends, because a fifth of them are empty.
      var place = Int(fragment) & mask
      while buckets[place] != 0 {
        let bucket = buckets[place]
        if bucket >> 32 == fragment, isKey(Int(bucket & 0xFFFF_FFFF) - 1) { return Int(bucket & 0xFFFF_FFFF) - 1 }
        place = (place + 1) & mask
      }
      return nil
    }
  }

  /// Inserts a slot, which must not be there.
  mutating func insert(_ hash: Int, _ slot: Int) {
    if count * 5 >= buckets.count * 4 { grow() }
    count += 1
    place(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(slot + 1))
  }

  /// Removes a slot, which must be there.
  mutating func remove(_ hash: Int, _ slot: Int) {
    let mask = buckets.count - 1
    let bucket = UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(slot + 1)
    var hole = Int(bucket >> 32) & mask
    while buckets[hole] != bucket { hole = (hole + 1) & mask }
    count -= 1
    // Move up the buckets that follow, unless they are where they belong: tombstones would fill the table in time.
    var next = hole
    while true {
      next = (next + 1) & mask
      guard buckets[next] != 0 else { break }
      let home = Int(buckets[next] >> 32) & mask
      if (next - home) & mask >= (next - hole) & mask {
        buckets[hole] = buckets[next]
        hole = next
      }
    }
    buckets[hole] = 0
  }

  private mutating func place(_ bucket: UInt64) {
    let mask = buckets.count - 1
    var place = Int(bucket >> 32) & mask
    while buckets[place] != 0 { place = (place + 1) & mask }
    buckets[place] = bucket
  }

  private mutating func grow() {
    let old = buckets
    buckets = [UInt64](repeating: 0, count: old.count * 2)
    for bucket in old where bucket != 0 { place(bucket) }
  }
}
