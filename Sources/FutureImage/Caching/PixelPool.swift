/// All decoded pixels, under one limit in bytes. The least recently shown are evicted first.
///
/// An evicted image that is still on a screen is found as long as it lives there, and counts again from then on.
final class PixelPool: Sendable {
  /// Decodes of one image that can replace each other.
  struct Variant: Hashable, Sendable {
    var source: SourceKey
    /// The size of the full image in points before its transform, if the app stated it: `UIImage.size` and `scale` depend on it.
    var size: CGSize?
    var transform: FutureImage.Transform?
    /// The number of times that the source's image was replaced: pixels of an older image are never used for a newer one.
    var revision: UInt32 = 0

    /// Hashes only these: variants of one source seldom differ in anything else, and images are looked up often.
    func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(revision)
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

  /// A class, because copying a weak reference takes longer than everything else done here.
  private final class Held {
    let key: Key
    private weak var known: UIImage?
    var image: UIImage? { Scheduling.read(known) }
    var living: Living? { image.map { Living(key: key, image: $0) } }

    init(_ key: Key, _ image: UIImage) {
      self.key = key
      known = image
    }
  }

  /// A decoded image that is alive.
  struct Living: Sendable {
    var key: Key
    let image: UIImage

    /// The size of its bitmap in pixels.
    var size: FutureImage.PixelSize { key.step.size(of: image.naturalSize) }
  }

  /// The image stored under a key. The key's transform may own objects of the app's, so it leaves with the image.
  struct Shown: Sendable {
    let image: UIImage
    let transform: FutureImage.Transform?
  }

  private struct State {
    var shown: MemoryCache<Key, Shown>
    /// All decoded images that may still be alive, by source. When a source has none left, `rounds` removes its key.
    var known: [SourceKey: [Held]] = [:]
    /// The keys of `known`, each once.
    var rounds = Rounds<SourceKey>()
    var evictionCount = 0
  }

  /// Pixels that left the pool, for a caller that holds a lock to release afterward. They may own objects of the app's.
  struct Evicted: Sendable {
    fileprivate var shown: [Shown] = []
    /// Images read through weak references, and transforms of forgotten keys.
    fileprivate var read: [Living] = []
    fileprivate var transforms: [FutureImage.Transform?] = []

    var isEmpty: Bool { shown.isEmpty && read.isEmpty && transforms.isEmpty }
  }

  private let state: Lock<State>

  /// - Parameter limit: the limit of pixels, in bytes.
  init(limit: Int) {
    state = Lock(State(shown: MemoryCache(costLimit: limit)), rank: .pixels)
  }

  /// Returns the smallest decoded image that is at least this large, and counts it as shown last.
  /// - Parameter step: nil for the largest decoded image.
  /// - Returns: the image, and pixels for a caller that holds a lock to release afterward.
  func find(_ variant: Variant, atLeast step: DecodeStep? = nil) -> (image: UIImage?, evicted: Evicted) {
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
      if state.shown.value(forKey: chosen.key) == nil { evicted.shown = show(chosen.image, for: chosen.key, &state) }
      return (chosen.image, evicted)
    }
  }

  /// Returns all living decoded images of a source, in any variant.
  func decodes(of source: SourceKey) -> [Living] {
    state.withLock { $0.known[source]?.compactMap(\.living) ?? [] }
  }

  /// - Returns: the evicted pixels, perhaps its own, for a caller that holds a lock to release afterward.
  @discardableResult func insert(_ image: UIImage, _ variant: Variant) -> Evicted {
    let key = Key(variant: variant, step: image.step)
    return state.withLock { state in
      var evicted = Evicted()
      let count = state.known.count
      let isReplaced = add(Held(key, image), to: &state.known[variant.source, default: []], &evicted)
      if state.known.count > count { state.rounds.add(variant.source) }
      forgetDead(&state, &evicted)
      // The cache would retain its key, and return the new key's transform on eviction.
      if isReplaced, let former = state.shown.removeValue(forKey: key) { evicted.shown.append(former) }
      evicted.shown += show(image, for: key, &state)
      return evicted
    }
  }

  /// - Returns: the evicted pixels.
  private func show(_ image: UIImage, for key: Key, _ state: inout State) -> [Shown] {
    let evicted = state.shown.insert(Shown(image: image, transform: key.variant.transform), forKey: key, cost: image.byteCount)
    state.evictionCount += evicted.count
    return evicted
  }

  /// Removes an image for good: it changed, or its last model is gone.
  /// - Parameter generation: if given, images from this generation on stay.
  func take(source: SourceKey, before generation: UInt32 = .max) -> Evicted {
    state.withLock { state in
      var evicted = Evicted()
      guard let all = state.known[source] else { return evicted }
      let held = all.filter { $0.key.variant.revision < generation }
      state.known[source] = all.filter { $0.key.variant.revision >= generation }
      evicted.shown = held.compactMap { state.shown.removeValue(forKey: $0.key) }
      evicted.transforms = held.map(\.key.variant.transform)
      return evicted
    }
  }

  /// Evicts all pixels that are not on a screen.
  func removeUnshown() {
    let evicted = state.withLock { $0.shown.removeAll() }
    withExtendedLifetime(evicted) {}
  }

  /// Evicts the least recently shown pixels, until no more than a part of the limit is left.
  func trim(toPartOf divisor: Int) {
    let evicted = state.withLock { $0.shown.trim(toCost: $0.shown.costLimit / divisor) }
    withExtendedLifetime(evicted) {}
  }

  /// The number of images evicted by the limit.
  var evictionCount: Int { state.withLock { $0.evictionCount } }

  /// The number of sources whose decoded images may still be alive.
  var sourceCount: Int { state.withLock { $0.known.count } }

  var byteCount: Int { state.withLock { $0.shown.totalCost } }

  /// Forgets the names of dead images, two sources at a time, while there are twice as many names as images under the limit. A check is not
  /// cheap: the names of each image are somewhere else in memory.
  private func forgetDead(_ state: inout State, _ evicted: inout Evicted) {
    guard state.known.count > 2 * state.shown.count else { return }
    var rounds = state.rounds
    state.rounds = Rounds()
    rounds.look(atMost: 2) { source in
      guard let index = state.known.index(forKey: source) else { return false }
      removeDead(from: &state.known.values[index], &evicted)
      guard state.known.values[index].isEmpty else { return true }
      state.known.remove(at: index)
      return false
    }
    state.rounds = rounds
  }

  /// Adds a decoded image to those of its source, in place of another with its key.
  /// - Returns: whether there was another.
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

/// The keys of a table whose entries end without a notification. Each change checks a few keys, in turn, so that the table stays in
/// proportion to its live entries and no check takes long.
struct Rounds<Key> {
  private var keys = FIFO<Key>()

  /// Adds a key that is new in the table.
  mutating func add(_ key: Key) { keys.append(key) }

  /// Checks the next few keys.
  /// - Parameter stays: whether the key's entry is still in the table after the check.
  mutating func look(atMost count: Int = 4, _ stays: (Key) -> Bool) {
    for _ in 0..<min(count, keys.count) {
      if let key = keys.popFirst(), stays(key) { keys.append(key) }
    }
  }
}
