/// One picture as the loader knows it: all that its futures share, and that is more than one future which waits.
///
/// The table makes one when a second future of the key is registered, when bytes come, or when something is to be remembered, and drops it
/// when nothing of that is left. Presence on disk is a tier's, size and pixels are a variant's, failures and requests are a future's.
///
/// Guarded by the loader's lock, like the table that holds it.
final class Picture {
  /// Which of the pictures this is that replaced each other under the key: counts up.
  var generation: UInt32 = 0
  /// Bytes that wait for their disk tiers.
  var staged: Staged?
  /// Bytes that no disk tier gets, until the futures of the key have been told. A future that asks in between would find neither a transfer
  /// to join nor a future that has them.
  var untold: (turn: UInt64, encoded: Encoded)?
  /// Counts what may leave a replaced image in a memory tier while it goes on: replacements that futures have not all been told of, and stores
  /// under way.
  var memoryChanges = 0
  /// Whether the last transfer failed: the next is a retry, whichever future requests it.
  var hasFailed = false
  /// Whether views show what there is of it while its bytes come in.
  var hasInterims = false
  /// The futures, where there is, or was, more than one.
  var crowd: Crowd?

  /// Bytes that were fetched and whose disk writes have not finished. Futures that are made meanwhile take them from here.
  struct Staged {
    /// Nil if they turned out to be no picture.
    var encoded: Encoded?
    let entry: FutureImage.CacheEntry
    /// The resolved names of the tiers' places, one or two.
    var places: [String]
    /// The number of writes of the key that have not ended, those of earlier bytes among them.
    var writes: Int
  }

  /// The staged bytes, unless the picture was replaced since by one that no tier gets: a future that has met the newer one would request them
  /// again and again.
  var stagedBytes: Encoded? {
    guard let encoded = staged?.encoded, encoded.revision == generation else { return nil }
    return encoded
  }

  /// Whether dropping it loses nothing.
  var saysNothing: Bool {
    generation == 0 && staged == nil && untold == nil && memoryChanges == 0 && !hasFailed && !hasInterims && crowd == nil
  }
}

extension Picture {
  /// Many futures of one picture. Each has a place of its own for as long as it lives, so that they can be gone through a few at a time while
  /// others come and go: a walk over ten thousand would hold the loader's lock for milliseconds.
  ///
  /// An object, since a look at whether there is one copies no tables.
  final class Crowd {
    private struct Place {
      let index: Int
      /// The place of its disk tier in `tierUses`; nil for none, and for a future that was being released when it came.
      let tier: Int?
    }

    private struct TierUse {
      /// Nil once no future has it.
      var tier: (any FutureImage.DiskTier)?
      var count = 0
    }

    private var entries: [WeakFuture] = []
    private var places: [ObjectIdentifier: Place] = [:]
    private var free: [Int] = []
    /// The disk tiers that the futures have, or had, each once: few, so that they are looked through.
    private var tierUses: [TierUse] = []

    var count: Int { places.count }
    var tiers: [any FutureImage.DiskTier] { tierUses.compactMap(\.tier) }

    func contains(_ id: ObjectIdentifier) -> Bool { places[id] != nil }

    func insert(_ future: consuming WeakFuture, id: ObjectIdentifier, tier: (any FutureImage.DiskTier)?) {
      let tier = tier.map { use($0) }
      if let index = free.popLast() {
        entries[index] = future
        places[id] = Place(index: index, tier: tier)
      } else {
        places[id] = Place(index: entries.count, tier: tier)
        entries.append(future)
      }
    }

    private func use(_ tier: any FutureImage.DiskTier) -> Int {
      let known = tierUses.firstIndex { $0.tier === tier || $0.tier == nil }
      if known == nil { tierUses.append(TierUse(tier: tier)) }
      let place = known ?? tierUses.count - 1
      tierUses[place].tier = tier
      tierUses[place].count += 1
      return place
    }

    /// - Returns: whether it was there, and its disk tier where no other future has that: to be released outside of the lock.
    func remove(_ id: ObjectIdentifier) -> (wasThere: Bool, tier: (any FutureImage.DiskTier)?) {
      guard let place = places.removeValue(forKey: id) else { return (false, nil) }
      entries[place.index] = WeakFuture(nil)
      free.append(place.index)
      guard let tier = place.tier else { return (true, nil) }
      tierUses[tier].count -= 1
      return (true, tierUses[tier].count == 0 ? tierUses[tier].tier.take() : nil)
    }

    /// The living futures in the next places.
    /// - Returns: those, and the place after them; nil where there is none. The caller releases them outside of the lock.
    func futures(from first: Int, count: Int) -> (futures: [FutureImage], next: Int?) {
      let end = min(entries.count, first + count)
      guard first < end else { return ([], nil) }
      return ((first..<end).compactMap { entries[$0].future }, end < entries.count ? end : nil)
    }
  }
}

/// A future that is not held. A copy does not load the reference, so nothing can die by it.
struct WeakFuture {
  private weak var known: FutureImage?

  init(_ future: FutureImage?) { known = future }

  /// Nil once the future is gone. Inside a lock, the caller returns it: a future must not die there.
  var future: FutureImage? { Scheduling.read(known) }
}
