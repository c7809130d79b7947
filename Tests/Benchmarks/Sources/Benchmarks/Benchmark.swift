/// One thing that is measured: some rows of figures, in a process of its own.
struct Benchmark: Sendable {
  let name: String
  /// So many processes measure it, and of each figure the one in the middle is told: which of malloc's arenas the threads of a process
  /// happen to share decides about a tenth of what its rounds have in common.
  var processes = 1
  let run: @MainActor @Sendable () async throws -> [Row]

  static let all = [
    coldPhotos, coldSmall, warmDisk, warmMemory, bind, creation, join, memory, scroll, journey, caches, growth, decode
  ]
}
