/// All decoded pixels, under one limit in bytes: what was shown longest ago goes first.
///
/// A picture that was let go but is still on a screen is found again for as long as it lives there, and counts again from then on.
final class PixelPool: Sendable {
  /// Decodes of one picture that can stand for each other.
  struct Variant: Hashable, Sendable {
    var source: SourceKey
    /// The whole picture's size in points before its transform, where the app said so: `UIImage.size` and `scale` depend on it.
    var size: CGSize?
    var transform: FutureImage.Transform?
    /// Counts the times that the source's picture was replaced by another: what is decoded of an older one is never taken for the newer.
    var revision: UInt32 = 0
    /// The smaller picture that stands for the source on some networks: each future names its own.
    var substitute: SourceKey?

    /// Variants of one source seldom differ in anything else, and a picture is looked up many times.
    func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(revision)
      if let transform { hasher.combine(transform) }
    }

    /// - Parameter natural: the picture's size in pixels.
    func plan(for natural: FutureImage.PixelSize) -> FutureImage.Transform.Plan {
      FutureImage.Transform.Plan(transform, natural: natural, points: size)
    }
  }

  struct Key: Hashable, Sendable {
    var variant: Variant
    var step: Step
  }

  /// An object: a copy of a weak reference takes longer than all else that is done here.
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

  fileprivate struct Living: Sendable {
    let key: Key
    let image: UIImage
  }

  /// What is kept under a key. The key's transform may own objects of the app's, so it leaves with the image.
  struct Shown: Sendable {
    let image: UIImage
    let transform: FutureImage.Transform?
  }

  private struct State {
    var shown: MemoryCache<Key, Shown>
    /// Every decode that may still live, by source. Where there is none any more, the rounds take the key out.
    var known: [SourceKey: [Held]] = [:]
    /// Over the keys of `known`, each once.
    var rounds = Rounds<SourceKey>()
    var letGo = 0
  }

  /// Pixels that left the pool: for a caller who holds a lock to release afterwards. They may own objects of the app's.
  struct Losers: Sendable {
    fileprivate var shown: [Shown] = []
    /// Weak references that were read, and keys that were forgotten.
    fileprivate var read: [Living] = []
    fileprivate var transforms: [FutureImage.Transform?] = []
  }

  private let state: Lock<State>

  /// - Parameter limit: in bytes of pixels.
  init(limit: Int) {
    state = Lock(State(shown: MemoryCache(costLimit: limit)), rank: .pixels)
  }

  /// The smallest decode that is at least so large, now counted as shown last.
  func image(_ variant: Variant, atLeast step: Step) -> UIImage? { find(variant, atLeast: step).image }

  /// The same inside of a lock.
  func find(_ variant: Variant, atLeast step: Step) -> (image: UIImage?, losers: Losers) {
    pick(variant) { $0.filter { $0.key.step >= step }.min { $0.key.step < $1.key.step } }
  }

  /// The largest decode there is.
  func largest(_ variant: Variant) -> UIImage? {
    pick(variant) { $0.max { $0.key.step < $1.key.step } }.image
  }

  /// All decodes of a source that live, in any variant.
  func images(source: SourceKey) -> [UIImage] {
    state.withLock { $0.known[source]?.compactMap(\.image) ?? [] }
  }

  private func pick(_ variant: Variant, _ choose: ([Living]) -> Living?) -> (image: UIImage?, losers: Losers) {
    state.withLock { state in
      var losers = Losers()
      guard let held = state.known[variant.source] else { return (nil, losers) }
      losers.read = held.compactMap { $0.key.variant == variant ? $0.living : nil }
      guard let chosen = choose(losers.read) else { return (nil, losers) }
      if state.shown.value(forKey: chosen.key) == nil { losers.shown = show(chosen.image, chosen.key, &state) }
      return (chosen.image, losers)
    }
  }

  /// - Returns: what has to go for it, perhaps itself: for a caller who holds a lock to let go of afterwards.
  @discardableResult func insert(_ image: UIImage, _ variant: Variant) -> Losers {
    let key = Key(variant: variant, step: image.step)
    return state.withLock { state in
      var losers = Losers()
      let count = state.known.count
      let isReplaced = add(Held(key, image), to: &state.known[variant.source, default: []], &losers)
      if state.known.count > count { state.rounds.add(variant.source) }
      forgetDead(&state, &losers)
      // The cache would go on with the key that it has, and hand out the new one's transform.
      if isReplaced, let former = state.shown.removeValue(forKey: key) { losers.shown.append(former) }
      losers.shown += show(image, key, &state)
      return losers
    }
  }

  /// - Returns: what has to go for it.
  private func show(_ image: UIImage, _ key: Key, _ state: inout State) -> [Shown] {
    let losers = state.shown.insert(Shown(image: image, transform: key.variant.transform), forKey: key, cost: image.byteCount)
    state.letGo += losers.count
    return losers
  }

  /// Lets go of a picture for good: it changed, or its last model went.
  func remove(source: SourceKey) {
    withExtendedLifetime(take(source: source)) {}
  }

  /// The same inside of a lock.
  func take(source: SourceKey) -> Losers {
    state.withLock { state in
      var losers = Losers()
      guard let held = state.known.updateValue([], forKey: source) else {
        state.known[source] = nil
        return losers
      }
      losers.shown = held.compactMap { state.shown.removeValue(forKey: $0.key) }
      losers.transforms = held.map(\.key.variant.transform)
      return losers
    }
  }

  /// Lets go of all that is on no screen.
  func removeUnshown() {
    let losers = state.withLock { $0.shown.removeAll() }
    withExtendedLifetime(losers) {}
  }

  /// Lets go of what was shown longest ago, until no more than a part of the limit is left.
  func trim(toPartOf divisor: Int) {
    let losers = state.withLock { $0.shown.trim(toCost: $0.shown.costLimit / divisor) }
    withExtendedLifetime(losers) {}
  }

  /// How many pictures the limit has pushed out.
  var letGoCount: Int { state.withLock { $0.letGo } }

  /// The sources that have decodes which may still live.
  var sourceCount: Int { state.withLock { $0.known.count } }

  var byteCount: Int { state.withLock { $0.shown.totalCost } }

  /// Forgets the names of dead pictures, two sources at a time, while there are twice as many names as pictures under the limit. A look is
  /// not cheap: what is known of a picture lies somewhere else in memory for each.
  private func forgetDead(_ state: inout State, _ losers: inout Losers) {
    guard state.known.count > 2 * state.shown.count else { return }
    var rounds = state.rounds
    state.rounds = Rounds()
    rounds.look(atMost: 2) { source in
      guard let index = state.known.index(forKey: source) else { return false }
      removeDead(from: &state.known.values[index], &losers)
      guard state.known.values[index].isEmpty else { return true }
      state.known.remove(at: index)
      return false
    }
    state.rounds = rounds
  }

  /// Adds a decode to those of its source, which replaces another of its key.
  /// - Returns: whether there was one.
  private func add(_ new: Held, to decodes: inout [Held], _ losers: inout Losers) -> Bool {
    let former = decodes.firstIndex { $0.key == new.key }
    if let former {
      let held = decodes.remove(at: former)
      if let living = held.living { losers.read.append(living) }
      losers.transforms.append(held.key.variant.transform)
    }
    removeDead(from: &decodes, &losers)
    decodes.append(new)
    return former != nil
  }

  /// Leaves of a source's decodes those that live.
  private func removeDead(from decodes: inout [Held], _ losers: inout Losers) {
    decodes.removeAll { held in
      if let living = held.living {
        losers.read.append(living)
        return false
      }
      losers.transforms.append(held.key.variant.transform)
      return true
    }
  }
}
