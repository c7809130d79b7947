/// The loader's record of one key: everything that its futures share, unless that is just one waiting future.
///
/// The table creates a record when a second future of the key is registered, when bytes arrive, or when there is something to remember, and
/// drops it when none of that is left. Presence on disk belongs to a tier, size and pixels to a variant, failures and requests to a future.
///
/// Guarded by the loader's lock, like the table that holds it.
final class Picture {
  /// The generation of the image under this key: incremented each time the image is replaced.
  var generation: UInt32 = 0
  /// The bytes that wait to be written to their disk tiers.
  var staged: Staged?
  /// The bytes that no disk tier stores, until they are delivered to the futures of the key. A request made in between would find neither a
  /// transfer to join nor a future that has the bytes.
  var untold: (turn: UInt64, encoded: Encoded)?
  /// The number of operations under way that may leave a replaced image in a memory tier: replacements not yet delivered to all futures,
  /// and stores.
  var memoryChanges = 0
  /// Whether the app has set the current image, of which the source need not know.
  var isOfApp = false
  /// The last call that set the image, while the app can undo it.
  weak var setting: FutureImage.Loader.Setting?
  /// Whether the last transfer failed. The next one then counts as a retry, whichever future requests it.
  var hasFailed = false
  /// Whether views show interim images while the bytes arrive.
  var hasInterims = false
  /// The futures, if there are, or were, more than one.
  var crowd: Crowd?

  /// Fetched bytes whose disk writes have not finished. Futures created in the meantime take them from here.
  struct Staged {
    /// Nil if the bytes turned out not to be an image, or must not be stored any longer.
    var encoded: Encoded?
    let entry: FutureImage.CacheEntry
    /// The resolved names of the tiers' places, one or two.
    var places: [String]
    /// The number of writes of the key that have not ended, including those of earlier bytes.
    var writes: Int
  }

  /// The staged bytes, unless the image has since been replaced by one that no tier stores: a future that has seen the newer image would
  /// request the bytes again and again.
  var stagedBytes: Encoded? {
    // Race: bytes for a tier that a newer picture has outdated.
    guard let encoded = staged?.encoded, encoded.revision == generation else { return nil }
    return encoded
  }

  /// Whether dropping the record loses nothing.
  var saysNothing: Bool {
    generation == 0 && staged == nil && untold == nil && memoryChanges == 0 && !hasFailed && !hasInterims && crowd == nil
  }
}

extension Picture {
  /// The futures of a key that has several. Each has a place of its own for as long as it lives, so that a caller can iterate over them a
  /// few at a time while futures are added and removed: iterating over ten thousand would hold the loader's lock for milliseconds.
  struct Crowd {
    private struct Place {
      let index: Int
      /// The index of its disk tier in `tierUses`; nil for none, and for a future that was being released when it was inserted.
      let tier: Int?
    }

    private struct TierUse {
      /// Nil once no future uses it.
      var tier: (any FutureImage.DiskTier)?
      var count = 0
    }

    private var entries: [WeakFuture] = []
    private var places: [ObjectIdentifier: Place] = [:]
    private var free: [Int] = []
    /// The disk tiers that the futures use, or used, each once. They are few, so a linear search suffices.
    private var tierUses: [TierUse] = []

    var count: Int { places.count }
    var tiers: [any FutureImage.DiskTier] { tierUses.compactMap(\.tier) }

    func contains(_ id: ObjectIdentifier) -> Bool { places[id] != nil }

    mutating func insert(_ future: consuming WeakFuture, id: ObjectIdentifier, tier: (any FutureImage.DiskTier)?) {
      let tier = tier.map { use($0) }
      if let index = free.popLast() {
        entries[index] = future
        places[id] = Place(index: index, tier: tier)
      } else {
        places[id] = Place(index: entries.count, tier: tier)
        entries.append(future)
        // If it grew while futures die, it would return a block of memory then, and glibc would sort all that they left behind.
        free.reserveCapacity(entries.capacity)
      }
    }

    private mutating func use(_ tier: any FutureImage.DiskTier) -> Int {
      let known = tierUses.firstIndex { $0.tier === tier || $0.tier == nil }
      if known == nil { tierUses.append(TierUse(tier: tier)) }
      let place = known ?? tierUses.count - 1
      tierUses[place].tier = tier
      tierUses[place].count += 1
      return place
    }

    /// - Returns: whether the future was there, and its disk tier if no other future uses that, to be released outside the lock.
    mutating func remove(_ id: ObjectIdentifier) -> (wasThere: Bool, tier: (any FutureImage.DiskTier)?) {
      guard let place = places.removeValue(forKey: id) else { return (false, nil) }
      // Race: a future that is passed over because another left the crowd.
      entries[place.index] = WeakFuture(nil)
      free.append(place.index)
      guard let tier = place.tier else { return (true, nil) }
      tierUses[tier].count -= 1
      return (true, tierUses[tier].count == 0 ? tierUses[tier].tier.take() : nil)
    }

    /// The living futures in the next places.
    /// - Returns: the futures, and the place after them, or nil if there is none. The caller releases the futures outside the lock.
    func futures(from first: Int, count: Int) -> (futures: [FutureImage], next: Int?) {
      let end = min(entries.count, first + count)
      guard first < end else { return ([], nil) }
      return ((first..<end).compactMap { entries[$0].future }, end < entries.count ? end : nil)
    }
  }
}

/// A future that is not retained. Copying it does not load the reference, so no future can be deallocated by that.
struct WeakFuture {
  private weak var known: FutureImage?

  init(_ future: FutureImage?) { known = future }

  /// The future, or nil once it is gone. A caller inside a lock returns it, because a future must not be deallocated there.
  var future: FutureImage? { Scheduling.read(known) }
}
