/// Which runs nothing was heard of between two looks at them.
struct Silence {
  private var suspects: Set<UInt64> = []
  /// Somebody looks once per interval.
  private(set) var isWatched = false

  /// - Parameter runs: those under way.
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

  /// - Parameter runs: those under way.
  /// - Returns: those of them of which nothing was heard since the last look.
  mutating func look(at runs: [UInt64]) -> [UInt64] {
    let silent = runs.filter { suspects.contains($0) }
    suspects = Set(runs)
    return silent
  }
}
