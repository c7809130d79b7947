import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A disk tier in the scheduler's time that is sometimes slow, full, broken, or damaged, until it is calmed.
final class MoodyTier: FutureImage.DiskTier {
  /// Ends the moods of several tiers together.
  final class Weather: Sendable {
    private struct State {
      var random: SeededGenerator
      var isCalm = false
    }

    private let state: Lock<State>
    private let fates: [Fate]

    /// - Parameter isSlowOnly: whether the disks are slow at most.
    init(seed: UInt64, isCalm: Bool = false, isSlowOnly: Bool = false) {
      state = Lock(State(random: SeededGenerator(seed: seed), isCalm: isCalm), rank: .testing)
      fates = isSlowOnly ? [.good] : [.good, .good, .good, .good, .good, .failing, .full, .damaged]
    }

    /// A weather without moods from the start.
    static var calm: Weather { Weather(seed: 0, isCalm: true) }

    func calm() { state.withLock { $0.isCalm = true } }

    fileprivate func mood() -> Mood {
      state.withLock { state in
        guard !state.isCalm else { return Mood(delay: .milliseconds(1), fate: .good) }
        let delay = Duration.milliseconds([0, 0, 1, 20, 400, 3_000].randomElement(using: &state.random) ?? 0)
        return Mood(delay: delay, fate: fates.randomElement(using: &state.random) ?? .good)
      }
    }
  }

  fileprivate enum Fate { case good, failing, full, damaged }

  fileprivate struct Mood {
    let delay: Duration
    let fate: Fate

    /// - Throws: the error with which the tier fails.
    func pass(isStore: Bool = false) async throws {
      // Ignores cancellation: a disk does not stop.
      await withCheckedContinuation { continuation in
        Scheduling.inBackground(after: delay) { continuation.resume() }
      }
      switch fate {
      case .failing: throw HeldTier.Broken()
      case .full where isStore: throw HeldTier.Full()
      default: break
      }
    }
  }

  private let tier: HeldTier
  private let weather: Weather

  init(_ tier: HeldTier, _ weather: Weather) { (self.tier, self.weather) = (tier, weather) }

  func entry(forKey key: String) async throws -> FutureImage.CacheEntry? {
    let mood = weather.mood()
    try await mood.pass()
    let entry = try await tier.entry(forKey: key)
    guard mood.fate == .damaged, let entry else { return entry }
    return FutureImage.CacheEntry(body: entry.body.prefix(entry.body.count / 2))
  }

  func store(_ entry: FutureImage.CacheEntry, forKey key: String) async throws {
    try await weather.mood().pass(isStore: true)
    try await tier.store(entry, forKey: key)
  }

  func remove(forKey key: String) async throws {
    try await weather.mood().pass()
    try await tier.remove(forKey: key)
  }
}
