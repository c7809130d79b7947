import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A disk tier whose delays pass in the scheduler's time. The tier is sometimes slow, full, broken, or damaged, until it is made reliable.
final class UnreliableTier: FutureImage.DiskTier {
  /// The faults of several tiers, which all end when ``makeReliable()`` is called.
  final class Disks: Sendable {
    private struct State {
      var random: SeededGenerator
      var isReliable = false
    }

    private let state: Lock<State>
    private let behaviors: [Behavior]

    /// Creates disks whose faults the seed determines.
    /// - Parameter isSlowOnly: whether the disks have no other fault than slowness.
    init(seed: UInt64, isReliable: Bool = false, isSlowOnly: Bool = false) {
      state = Lock(State(random: SeededGenerator(seed: seed), isReliable: isReliable), rank: .testing)
      behaviors = isSlowOnly ? [.good] : [.good, .good, .good, .good, .good, .failing, .full, .damaged]
    }

    /// Disks that never have faults.
    static var reliable: Disks { Disks(seed: 0, isReliable: true) }

    func makeReliable() { state.withLock { $0.isReliable = true } }

    fileprivate func access() -> Access {
      state.withLock { state in
        guard !state.isReliable else { return Access(delay: .milliseconds(1), behavior: .good) }
        let delay = Duration.milliseconds([0, 0, 1, 20, 400, 3_000].randomElement(using: &state.random) ?? 0)
        return Access(delay: delay, behavior: behaviors.randomElement(using: &state.random) ?? .good)
      }
    }
  }

  fileprivate enum Behavior { case good, failing, full, damaged }

  fileprivate struct Access {
    let delay: Duration
    let behavior: Behavior

    /// Waits for the delay of the access, and then fails if the disk has a fault.
    /// - Throws: the error with which the tier fails.
    func pass(isStore: Bool = false) async throws {
      // The wait ignores cancellation, because a disk does not stop either.
      await withCheckedContinuation { continuation in
        Scheduling.inBackground(after: delay) { continuation.resume() }
      }
      switch behavior {
      case .failing: throw HeldTier.Broken()
      case .full where isStore: throw HeldTier.Full()
      default: break
      }
    }
  }

  private let tier: HeldTier
  private let disks: Disks

  init(_ tier: HeldTier, _ disks: Disks) { (self.tier, self.disks) = (tier, disks) }

  func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
    let access = disks.access()
    try await access.pass()
    let entry = try await tier.entry(forKey: key)
    guard access.behavior == .damaged, let entry else { return entry }
    return FutureImage.CacheEntry(body: entry.body.prefix(entry.body.count / 2))
  }

  func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
    try await disks.access().pass(isStore: true)
    try await tier.store(entry, forKey: key)
  }

  func remove(forKey key: String) async throws {
    try await disks.access().pass()
    try await tier.remove(forKey: key)
  }
}
