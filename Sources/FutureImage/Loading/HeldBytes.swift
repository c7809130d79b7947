/// The encoded bytes that the pictures of a loader hold, under one limit. Guarded by the loader's lock.
///
/// A picture holds bytes until its views have been measured, and permanently if no disk tier stores them. All of them can be loaded again,
/// from a tier or the source. So beyond the limit the oldest are released, those that a disk tier has first.
///
/// The beginnings of bodies that broke off count, too, until a transfer requests the rest. Beyond the limit they are released first.
struct HeldBytes {
  /// The beginning of a body, and the URL that it came from.
  private struct Beginning {
    let partial: PartialBody
    let url: URL
  }

  private let limit: Int
  /// The pictures whose bytes a disk tier has, the oldest first.
  private var stored = MemoryCache<ObjectIdentifier, Picture>()
  /// The pictures whose bytes only their sources have.
  private var unstored = MemoryCache<ObjectIdentifier, Picture>()
  private var beginnings = MemoryCache<SourceKey, Beginning>()

  /// - Parameter limit: the limit, in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  private var wholes: Int { stored.totalCost + unstored.totalCost }

  /// The number of bytes that count now.
  var total: Int { wholes + beginnings.totalCost }

  /// Gives a picture its bytes, in place of those that it has. Bytes that its source may not deliver again do not count.
  mutating func hold(_ encoded: Encoded, in picture: Picture, _ departed: inout Departed) {
    release(picture, &departed)
    picture.encoded = encoded
    guard encoded.sized == nil, !encoded.isOfApp else { return }
    let (id, count) = (ObjectIdentifier(picture), encoded.data.count)
    // These have no limits of their own, so nothing is evicted yet.
    _ = encoded.isStored ? stored.insert(picture, forKey: id, cost: count) : unstored.insert(picture, forKey: id, cost: count)
    guard total > limit else { return }
    for beginning in trimBeginnings() { departed.add(beginning.partial) }
    // The newest stays: it is about to be decoded.
    let removed =
      stored.trim(toCost: max(limit - unstored.totalCost, encoded.isStored ? count : 0))
      + unstored.trim(toCost: max(limit - stored.totalCost, encoded.isStored ? 0 : count))
    for other in removed {
      if let former = other.encoded.take() { departed.add(former) }
      departed.add(object: other)
    }
  }

  /// Takes its bytes from a picture.
  mutating func release(_ picture: Picture, _ departed: inout Departed) {
    guard let encoded = picture.encoded.take() else { return }
    departed.add(encoded)
    let id = ObjectIdentifier(picture)
    _ = encoded.isStored ? stored.removeValue(forKey: id) : unstored.removeValue(forKey: id)
  }

  /// Retains the beginning of a body until a transfer requests the rest.
  mutating func keep(_ partial: PartialBody, of key: SourceKey, from url: URL, _ departed: inout Departed) {
    let former = beginnings.insert(Beginning(partial: partial, url: url), forKey: key, cost: partial.byteCount)
    for beginning in former + trimBeginnings() { departed.add(beginning.partial) }
  }

  /// Removes the beginning of the key's body. The caller releases it outside of the lock.
  /// - Returns: the beginning, and the URL that it came from.
  mutating func takeBeginning(of key: SourceKey) -> (partial: PartialBody, url: URL)? {
    beginnings.removeValue(forKey: key).map { ($0.partial, $0.url) }
  }

  private mutating func trimBeginnings() -> [Beginning] {
    beginnings.trim(toCost: max(0, limit - wholes), count: 1_000)
  }
}
