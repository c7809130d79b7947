/// A hash table that finds slots by the hashes of their keys. Slots are positions in a caller's array, which stores the keys. The table
/// uses open addressing and linear probing. Up to about four fifths of its buckets are full. With more empty buckets, a search would visit
/// fewer buckets, but the table would be larger, and more accesses would miss the processor's caches, which takes more time.
///
/// A `Dictionary` from keys to slots would store every key a second time, and a search would read the dictionary's key and then the slot.
/// Here, a search reads one word and then the slot.
struct SlotIndex {
  /// The buckets. An empty bucket is 0. Any other bucket has the lower half of the hash in its upper half, and the slot plus one in its
  /// lower half.
  private var buckets: [UInt64]
  private var count = 0

  init() {
    buckets = [UInt64](repeating: 0, count: 16)
  }

  /// Returns the slot of a key; nil if the key is missing. The slot of a key is the slot with the key's hash for which `isKey` returns
  /// true.
  func slot(_ hash: Int, where isKey: (Int) -> Bool) -> Int? {
    let fragment = UInt64(UInt32(truncatingIfNeeded: hash))
    return buckets.withUnsafeBufferPointer { buckets in
      let mask = buckets.count - 1
      // The mask limits the index to the buckets. The loop ends, because some buckets are always empty.
      var place = Int(fragment) & mask
      while buckets[place] != 0 {
        let bucket = buckets[place]
        if bucket >> 32 == fragment, isKey(Int(bucket & 0xFFFF_FFFF) - 1) { return Int(bucket & 0xFFFF_FFFF) - 1 }
        place = (place + 1) & mask
      }
      return nil
    }
  }

  /// Inserts a slot, which must not be in the table.
  mutating func insert(_ hash: Int, _ slot: Int) {
    if count * 5 >= buckets.count * 4 { grow() }
    count += 1
    place(UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(slot + 1))
  }

  /// Removes a slot, which must be in the table.
  mutating func remove(_ hash: Int, _ slot: Int) {
    let mask = buckets.count - 1
    let bucket = UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(slot + 1)
    var hole = Int(bucket >> 32) & mask
    while buckets[hole] != bucket { hole = (hole + 1) & mask }
    count -= 1
    // The next bucket that may be at the position of the hole is moved there, so that its old position is the new hole. This is repeated
    // until an empty bucket follows. If tombstones replaced removed buckets instead, they would fill the table over time.
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
