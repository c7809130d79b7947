/// One thing that is measured: some rows of figures, in a process of its own or in several.
struct Benchmark: Sendable {
  let name: String
  /// So many measure it, and of each figure the one in the middle is told: where much memory comes and goes, what malloc happens to keep of
  /// it moves all rounds of a process by up to a tenth.
  var processes = 1
  let run: @MainActor @Sendable () async throws -> [Row]

  static let all = [
    coldPhotos, coldSmall, warmDisk, warmMemory, bind, creation, join, memory, paddedMemory, thumbnails, scroll, journey, caches, growth,
    hosts,
    lockHolds, decode
  ]
}
