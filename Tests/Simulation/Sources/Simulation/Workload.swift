import Foundation

@testable import FutureImage

/// What a run does. The remainder of its seed names it.
enum Workload: String, CaseIterable {
  case day, opening, wishes, changes, hush, shelf, weather, watched, presentations, photos, links

  init(of seed: UInt64) { self = Self.allCases[Int(seed % UInt64(Self.allCases.count))] }

  /// How many points with a choice a run has, about: the strategies with priorities change some anywhere in it.
  func length(each count: Int) -> Int { 200 * count }

  /// - Parameter count: how many things each visitor does.
  /// - Returns: what was wrong.
  func run(seed: UInt64, each count: Int) -> [String] {
    switch self {
    case .day: Self.day(seed: seed, each: count)
    case .opening: Fair.opening(seed: seed, each: count)
    case .wishes: Fair.wishes(seed: seed, each: count)
    case .changes: Fair.changes(seed: seed, each: count)
    case .hush: Fair.hush(seed: seed, each: count)
    case .shelf: Shelf.day(seed: seed, each: count)
    case .weather: Fair.weather(seed: seed, each: count)
    case .watched: Fair.hush(seed: seed, each: count, watch: LockWatch())
    case .presentations: Fair.presentations(seed: seed, each: count)
    case .photos: Fair.photos(seed: seed, each: count)
    case .links: Fair.links(seed: seed, each: count)
    }
  }

  private final class Outcome: @unchecked Sendable {
    // One thread at a time runs.
    var faults: [String]?
  }

  private static func day(seed: UInt64, each count: Int) -> [String] {
    let outcome = Outcome()
    _ = Together.task { outcome.faults = await Fair.day(seed: seed, each: count) }
    simulator.run { outcome.faults != nil }
    return outcome.faults ?? []
  }
}
