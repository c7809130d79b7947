import Foundation

@testable import FutureImage

/// The kind of a run. Successive seeds have successive kinds (see ``init(of:)``).
enum Workload: String, CaseIterable {
  case mixed, joins, prefetches, changes, pauses, cache, network, watched, presentations, photos, links, feed, crashes, refusals, attempts
  case turns, sets, stores, starts, recycling, removals, refreshes, rows, player

  init(of seed: UInt64) { self = Self.allCases[Int(seed % UInt64(Self.allCases.count))] }

  /// Returns the approximate number of points in a run at which the scheduler has a choice. The table contains this number for one
  /// operation of each actor: the median of runs with three actors. The strategy with priorities chooses its changes among these points,
  /// because a change after the end of the run would have no effect.
  /// - Parameter count: the number of operations of each actor.
  func length(each count: Int) -> Int {
    let steps =
      switch self {
      case .mixed: 180
      case .joins: 6
      case .prefetches: 35
      case .changes, .presentations: 15
      case .links: 20
      case .pauses, .watched: 90
      case .cache, .network: 57
      case .photos: 22
      case .feed: 40
      case .crashes: 40
      case .refusals: 41
      case .attempts: 17
      case .turns: 3
      case .sets: 34
      case .stores: 3
      case .starts, .recycling: 11
      case .removals: 14
      case .refreshes: 5
      case .rows: 11
      case .player: 40
      }
    return max(steps * count, 64)
  }

  /// Runs the test that belongs to this kind of run.
  /// - Parameter count: the number of operations of each actor.
  /// - Returns: the faults.
  func run(seed: UInt64, each count: Int) -> [String] {
    switch self {
    case .mixed: Self.mixed(seed: seed, each: count)
    case .joins: StressTest.joins(seed: seed, each: count)
    case .prefetches: StressTest.prefetches(seed: seed, each: count)
    case .changes: StressTest.changes(seed: seed, each: count)
    case .pauses: StressTest.pauses(seed: seed, each: count)
    case .cache: CacheTest.mixed(seed: seed, each: count)
    case .network: StressTest.network(seed: seed, each: count)
    case .watched: StressTest.pauses(seed: seed, each: count, watch: LockWatch())
    case .presentations: StressTest.presentations(seed: seed, each: count)
    case .photos: StressTest.photos(seed: seed, each: count)
    case .links: StressTest.links(seed: seed, each: count)
    case .feed: Feed.mixed(seed: seed, each: count)
    case .crashes: CrashTest.mixed(seed: seed, each: count)
    case .refusals: StressTest.refusals(seed: seed, each: count)
    case .attempts: StressTest.attempts(seed: seed, each: count)
    case .turns: Turns.mixed(seed: seed, each: count)
    case .sets: StressTest.sets(seed: seed, each: count)
    case .stores: StressTest.stores(seed: seed, each: count)
    case .starts: StressTest.starts(seed: seed, each: count)
    case .recycling: StressTest.recycling(seed: seed, each: count)
    case .removals: CrashTest.removals(seed: seed, each: count)
    case .refreshes: StressTest.refreshes(seed: seed, each: count)
    case .rows: StressTest.rows(seed: seed, each: count)
    case .player: PlayerTest.mixed(seed: seed, each: count)
    }
  }

  private final class Outcome: @unchecked Sendable {
    // Sendable: only one thread runs at a time.
    var faults: [String]?
  }

  private static func mixed(seed: UInt64, each count: Int) -> [String] {
    let outcome = Outcome()
    _ = StressThreads.task { outcome.faults = await StressTest.mixed(seed: seed, each: count) }
    simulator.run { outcome.faults != nil }
    return outcome.faults ?? []
  }
}
