/// The encoded bytes that the pictures of a loader retain, under one limit. Guarded by the loader's lock.
///
/// A picture retains bytes until its views have been measured, or permanently if no disk tier stores them. The loader can load all of these
/// bytes again, from a tier or from the source. So when the limit is exceeded, the loader releases the oldest bytes that a disk tier has,
/// and then the oldest of the other bytes.
///
/// The beginnings of interrupted bodies count, too, until a transfer requests the rest. When the limit is exceeded, they are released
/// before all other bytes.
struct ByteBudget {
  /// The beginning of a body, and the URL from which it was fetched.
  final class Beginning: Sendable {
    let partial: PartialBody
    let url: URL

    init(_ partial: PartialBody, from url: URL) { (self.partial, self.url) = (partial, url) }
  }

  private let limit: Int
  /// The pictures whose bytes a disk tier has, the oldest first.
  private var stored = MemoryCache<ObjectIdentifier, Picture>()
  /// The pictures whose bytes no disk tier has.
  private var unstored = MemoryCache<ObjectIdentifier, Picture>()
  /// The pictures that retain the beginning of a body.
  private var begun = MemoryCache<ObjectIdentifier, Picture>()

  /// - Parameter limit: the limit, in bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// The number of bytes of whole images.
  private var wholeByteCount: Int { stored.totalCost + unstored.totalCost }

  /// The number of bytes that count against the limit.
  var total: Int { wholeByteCount + begun.totalCost }

  /// Stores bytes in a picture, and releases its former bytes. Bytes that the loader might not get again from the source do not count
  /// against the limit.
  mutating func hold(_ encoded: Encoded, in picture: Picture, _ departed: inout Departed) {
    release(picture, &departed)
    picture.encoded = encoded
    guard encoded.sized == nil, !encoded.isOfApp else { return }
    let (id, count) = (ObjectIdentifier(picture), encoded.data.count)
    // The two caches have no limits of their own, so nothing is evicted yet.
    _ = encoded.isStored ? stored.insert(picture, forKey: id, cost: count) : unstored.insert(picture, forKey: id, cost: count)
    guard total > limit else { return }
    trimBeginnings(&departed)
    // Retain the newest bytes, because they are about to be decoded.
    let removed =
      stored.trim(toCost: max(limit - unstored.totalCost, encoded.isStored ? count : 0))
      + unstored.trim(toCost: max(limit - stored.totalCost, encoded.isStored ? 0 : count))
    for other in removed {
      if let former = other.encoded.take() { departed.add(former) }
      departed.add(object: other)
    }
  }

  /// Removes the bytes from a picture.
  mutating func release(_ picture: Picture, _ departed: inout Departed) {
    guard let encoded = picture.encoded.take() else { return }
    departed.add(encoded)
    let id = ObjectIdentifier(picture)
    _ = encoded.isStored ? stored.removeValue(forKey: id) : unstored.removeValue(forKey: id)
  }

  /// Stores the beginning of a body in its picture, which retains it until a transfer requests the rest.
  mutating func hold(_ beginning: Beginning, in picture: Picture, _ departed: inout Departed) {
    releaseBeginning(of: picture, &departed)
    picture.remembered.beginning = beginning
    _ = begun.insert(picture, forKey: ObjectIdentifier(picture), cost: beginning.partial.byteCount)
    trimBeginnings(&departed)
  }

  /// Removes and returns the beginning of a picture's body. The caller releases it outside of the lock.
  mutating func takeBeginning(of picture: Picture) -> Beginning? {
    begun.removeValue(forKey: ObjectIdentifier(picture))?.remembered.beginning.take()
  }

  /// Releases the beginning of a picture's body, which is no longer useful.
  mutating func releaseBeginning(of picture: Picture, _ departed: inout Departed) {
    if let beginning = takeBeginning(of: picture) { departed.add(object: beginning) }
  }

  private mutating func trimBeginnings(_ departed: inout Departed) {
    for picture in begun.trim(toCost: max(0, limit - wholeByteCount)) {
      if let beginning = picture.remembered.beginning.take() { departed.add(object: beginning) }
      departed.add(object: picture)
    }
  }
}
