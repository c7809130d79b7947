/// All decoded pixels, under one limit in bytes. The least recently shown pixels are evicted first.
///
/// While a view still shows an evicted image, the pool can find the image. An image that was found counts toward the limit again.
final class PixelPool: Sendable {
  /// Identifies the decodes of one image that can replace each other.
  struct Variant: Hashable, Sendable {
    var source: SourceKey
    /// The size of the full image in points before its transform, if the app specified it. `UIImage.size` and `scale` depend on this size.
    var size: CGSize?
    var transform: FutureImage.Transform?
    /// The number of times that the source's image was replaced. So pixels of an older image are never used for a newer image.
    var generation: UInt32 = 0

    /// Hashes only the source, the generation, and the transform, because images are looked up often, and variants of one source seldom
    /// differ only in size.
    func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(generation)
      if let transform { hasher.combine(transform) }
    }

    /// - Parameter fullSize: the size of the image in pixels.
    func plan(for fullSize: FutureImage.PixelSize) -> FutureImage.Transform.Plan {
      FutureImage.Transform.Plan(transform, fullSize: fullSize, points: size)
    }
  }

  struct Key: Hashable, Sendable {
    var variant: Variant
    var step: DecodeStep
  }

  /// A weak reference to a decoded image. This is a class, because copying a weak reference takes longer than all other work of the pool.
  private final class Held {
    let key: Key
    private weak var known: BaseImage?
    var image: BaseImage? { Scheduling.read(known) }
    var living: Living? { image.map { Living(key: key, image: $0) } }

    init(_ key: Key, _ image: BaseImage) {
      self.key = key
      known = image
    }
  }

  /// A decoded image that still exists.
  struct Living: Sendable {
    var key: Key
    let image: BaseImage

    /// The size of the image's bitmap in pixels.
    var size: FutureImage.PixelSize { key.step.size(of: image.naturalSize) }
  }

  /// The image and the transform that are stored under a key. The transform may own objects of the app. So it leaves the pool together with
  /// the image, and is released after unlocking.
  struct Retained: Sendable {
    let image: BaseImage
    let transform: FutureImage.Transform?
  }

  private struct State {
    var retained: MemoryCache<Key, Retained>
    /// All decoded images that may still be alive, by source. When a source has no such images left, a check of `rounds` removes its key.
    var known: [SourceKey: [Held]] = [:]
    /// The keys of `known`, each once.
    var rounds = Rounds<SourceKey>()
    var evictionCount = 0
  }

  /// Pixels that left the pool. They may own objects of the app, so a caller that holds a lock releases them after unlocking.
  struct Evicted: Sendable {
    fileprivate var retained: [Retained] = []
    /// Images that were read through weak references. Perhaps nothing else retains them by now.
    fileprivate var read: [Living] = []
    /// The transforms of keys that were removed.
    fileprivate var transforms: [FutureImage.Transform?] = []

    var isEmpty: Bool { retained.isEmpty && read.isEmpty && transforms.isEmpty }
  }

  private let state: Lock<State>

  /// - Parameter limit: the limit on the pool's pixels, in bytes.
  init(limit: Int) {
    state = Lock(State(retained: MemoryCache(costLimit: limit)), rank: .pixels)
  }

  /// Returns the smallest decoded image that is at least as large as a step, and makes it the most recently shown image.
  /// - Parameter step: the smallest acceptable step; nil to return the largest decoded image.
  /// - Returns: the image, and evicted pixels. A caller that holds a lock releases these pixels after unlocking.
  func find(_ variant: Variant, atLeast step: DecodeStep? = nil) -> (image: BaseImage?, evicted: Evicted) {
    state.withLock { state in
      var evicted = Evicted()
      guard let held = state.known[variant.source] else { return (nil, evicted) }
      evicted.read = held.compactMap { $0.key.variant == variant ? $0.living : nil }
      let found =
        if let step {
          evicted.read.filter { $0.key.step >= step }.min { $0.key.step < $1.key.step }
        } else {
          evicted.read.max { $0.key.step < $1.key.step }
        }
      guard let chosen = found else { return (nil, evicted) }
      if state.retained.value(forKey: chosen.key) == nil { evicted.retained = retain(chosen.image, for: chosen.key, &state) }
      return (chosen.image, evicted)
    }
  }

  /// Returns all decoded images of a source that still exist, in any variant.
  func decodes(of source: SourceKey) -> [Living] {
    state.withLock { $0.known[source]?.compactMap(\.living) ?? [] }
  }

  /// Adds a decoded image, and makes it the most recently shown image.
  /// - Returns: the evicted pixels, which may include those of `image`. A caller that holds a lock releases them after unlocking.
  @discardableResult func insert(_ image: BaseImage, _ variant: Variant) -> Evicted {
    let key = Key(variant: variant, step: image.step)
    return state.withLock { state in
      var evicted = Evicted()
      let count = state.known.count
      let isReplaced = add(Held(key, image), to: &state.known[variant.source, default: []], &evicted)
      if state.known.count > count { state.rounds.add(variant.source) }
      forgetDead(&state, &evicted)
      // The former key and the new key are equal, but their transforms may own different objects. Without this removal, `retained` would
      // retain the former key with its transform, but return the transform of the new key on eviction.
      if isReplaced, let former = state.retained.removeValue(forKey: key) { evicted.retained.append(former) }
      evicted.retained += retain(image, for: key, &state)
      return evicted
    }
  }

  /// Makes an image the most recently shown image, and counts its bytes toward the limit.
  /// - Returns: the evicted pixels.
  private func retain(_ image: BaseImage, for key: Key, _ state: inout State) -> [Retained] {
    let evicted = state.retained.insert(Retained(image: image, transform: key.variant.transform), forKey: key, cost: image.byteCount)
    state.evictionCount += evicted.count
    return evicted
  }

  /// Counts the bytes of an image again, because the frames of its animation that are in memory have changed.
  func recount(_ key: Key) {
    let evicted = state.withLock { state -> [Retained] in
      guard let retained = state.retained.value(forKey: key) else { return [] }
      let evicted = state.retained.setCost(retained.image.byteCount, forKey: key)
      state.evictionCount += evicted.count
      return evicted
    }
    withExtendedLifetime(evicted) {}
  }

  /// Removes all decoded images of a source, for example because another image has replaced them, or because the cache policy retains no
  /// image without a future.
  /// - Parameter generation: the first generation whose images stay. By default, no images stay.
  func take(source: SourceKey, before generation: UInt32 = .max) -> Evicted {
    state.withLock { state in
      var evicted = Evicted()
      guard let all = state.known[source] else { return evicted }
      let held = all.filter { $0.key.variant.generation < generation }
      state.known[source] = all.filter { $0.key.variant.generation >= generation }
      evicted.retained = held.compactMap { state.retained.removeValue(forKey: $0.key) }
      evicted.transforms = held.map(\.key.variant.transform)
      return evicted
    }
  }

  /// Evicts all pixels. The pixels that views show stay in memory, because the views retain them.
  func evictAll() {
    let evicted = state.withLock { $0.retained.removeAll() }
    withExtendedLifetime(evicted) {}
  }

  /// Evicts the least recently shown pixels, until the rest is at most the limit divided by `divisor`.
  func trim(toPartOf divisor: Int) {
    let evicted = state.withLock { $0.retained.trim(toCost: $0.retained.costLimit / divisor) }
    withExtendedLifetime(evicted) {}
  }

  /// The number of images that were evicted because of the limit.
  var evictionCount: Int { state.withLock { $0.evictionCount } }

  /// The number of sources whose decoded images may still be alive.
  var sourceCount: Int { state.withLock { $0.known.count } }

  var byteCount: Int { state.withLock { $0.retained.totalCost } }

  /// Removes the records of images that are no longer alive, if `known` has more than twice as many sources as there are images that count
  /// toward the limit. Each call checks only two sources, because a check is expensive: the records of each source are in a different part
  /// of memory.
  private func forgetDead(_ state: inout State, _ evicted: inout Evicted) {
    guard state.known.count > 2 * state.retained.count else { return }
    var rounds = state.rounds
    state.rounds = Rounds()
    rounds.checkNext(atMost: 2) { source in
      guard let index = state.known.index(forKey: source) else { return false }
      removeDead(from: &state.known.values[index], &evicted)
      guard state.known.values[index].isEmpty else { return true }
      state.known.remove(at: index)
      return false
    }
    state.rounds = rounds
  }

  /// Adds a decoded image to the images of its source. Replaces an earlier image with the same key.
  /// - Returns: whether an earlier image was replaced.
  private func add(_ new: Held, to decodes: inout [Held], _ evicted: inout Evicted) -> Bool {
    let former = decodes.firstIndex { $0.key == new.key }
    if let former {
      let held = decodes.remove(at: former)
      if let living = held.living { evicted.read.append(living) }
      evicted.transforms.append(held.key.variant.transform)
    }
    removeDead(from: &decodes, &evicted)
    decodes.append(new)
    return former != nil
  }

  /// Removes a source's decoded images that are no longer alive.
  private func removeDead(from decodes: inout [Held], _ evicted: inout Evicted) {
    decodes.removeAll { held in
      if let living = held.living {
        evicted.read.append(living)
        return false
      }
      evicted.transforms.append(held.key.variant.transform)
      return true
    }
  }
}

/// The keys of a table whose entries end without a notification. Each change of the table checks a few keys in turn. So the size of the
/// table stays in proportion to its live entries, and no check takes long.
struct Rounds<Key> {
  private var keys = FIFO<Key>()

  /// Adds a key that is new in the table.
  mutating func add(_ key: Key) { keys.append(key) }

  /// Checks the next few keys.
  /// - Parameter stays: checks a key, and returns whether its entry is still in the table.
  mutating func checkNext(atMost count: Int = 4, _ stays: (Key) -> Bool) {
    for _ in 0..<min(count, keys.count) {
      if let key = keys.popFirst(), stays(key) { keys.append(key) }
    }
  }
}
