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
    /// Of the smaller picture that stands for the source on some networks.
    var isSubstitute = false

    /// - Parameter natural: the picture's size in pixels.
    func plan(for natural: FutureImage.PixelSize) -> FutureImage.Transform.Plan {
      FutureImage.Transform.Plan(transform, natural: natural, points: size)
    }
  }

  struct Key: Hashable, Sendable {
    var variant: Variant
    var step: Step
  }

  private struct Held {
    let key: Key
    weak var image: UIImage?
  }

  private struct Living {
    let step: Step
    let image: UIImage
  }

  private struct State {
    var shown: MemoryCache<Key, UIImage>
    /// Every decode that may still live, by source.
    var known: [SourceKey: [Held]] = [:]
    var sweepAt = 256
    var letGo = 0
  }

  private let state: Lock<State>

  /// - Parameter limit: in bytes of pixels.
  init(limit: Int) {
    state = Lock(State(shown: MemoryCache(costLimit: limit)))
  }

  /// The smallest decode that is at least so large, now counted as shown last.
  func image(_ variant: Variant, atLeast step: Step) -> UIImage? {
    pick(variant) { $0.filter { $0.step >= step }.min { $0.step < $1.step } }
  }

  /// The largest decode there is.
  func largest(_ variant: Variant) -> UIImage? {
    pick(variant) { $0.max { $0.step < $1.step } }
  }

  private func pick(_ variant: Variant, _ choose: ([Living]) -> Living?) -> UIImage? {
    let (image, losers): (UIImage?, [UIImage]) = state.withLock { state in
      guard let held = state.known[variant.source] else { return (nil, []) }
      let decodes = held.compactMap { held in
        held.key.variant == variant ? held.image.map { Living(step: held.key.step, image: $0) } : nil
      }
      let living = decodes.map(\.image)
      guard let (step, image) = choose(decodes).map({ ($0.step, $0.image) }) else { return (nil, living) }
      let key = Key(variant: variant, step: step)
      if state.shown.value(forKey: key) != nil { return (image, living) }
      let losers = state.shown.insert(image, forKey: key, cost: image.byteCount)
      state.letGo += losers.count
      return (image, living + losers)
    }
    // Pictures may go with their last reference: not inside the lock.
    withExtendedLifetime(losers) {}
    return image
  }

  /// - Returns: what has to go for it, perhaps itself: for a caller who holds a lock to let go of afterwards.
  @discardableResult func insert(_ image: UIImage, _ variant: Variant) -> [UIImage] {
    let key = Key(variant: variant, step: image.step)
    return state.withLock { state in
      state.known[variant.source, default: []].removeAll { $0.key == key || $0.image == nil }
      state.known[variant.source, default: []].append(Held(key: key, image: image))
      sweep(&state)
      let losers = state.shown.insert(image, forKey: key, cost: image.byteCount)
      state.letGo += losers.count
      return losers
    }
  }

  /// Lets go of a picture for good: it changed, or its last model went.
  func remove(source: SourceKey) {
    let losers = state.withLock { state in
      (state.known.removeValue(forKey: source) ?? []).compactMap { state.shown.removeValue(forKey: $0.key) }
    }
    withExtendedLifetime(losers) {}
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

  var byteCount: Int { state.withLock { $0.shown.totalCost } }

  /// Forgets the names of dead pictures whenever they may outnumber the living.
  private func sweep(_ state: inout State) {
    guard state.known.count > state.sweepAt else { return }
    for (source, held) in state.known {
      let living = held.filter { $0.image != nil }
      state.known[source] = living.isEmpty ? nil : living
    }
    state.sweepAt = max(256, 2 * state.known.count)
  }
}
