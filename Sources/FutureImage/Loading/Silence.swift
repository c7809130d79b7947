/// Finds the runs that reported nothing between two looks.
struct Silence {
  private var suspects: Set<UInt64> = []
  /// Whether a task looks at the runs once per interval.
  private(set) var isWatched = false

  /// - Parameter runs: the runs under way.
  mutating func beginWatching(_ runs: [UInt64]) {
    isWatched = true
    suspects = Set(runs)
  }

  mutating func endWatching() {
    isWatched = false
    suspects = []
  }

  mutating func heard(_ run: UInt64) {
    if !suspects.isEmpty { suspects.remove(run) }
  }

  /// - Parameter runs: the runs under way.
  /// - Returns: the runs that have reported nothing since the last look.
  mutating func look(at runs: [UInt64]) -> [UInt64] {
    let silent = runs.filter { suspects.contains($0) }
    suspects = Set(runs)
    return silent
  }
}
