/// A measurement, which results in rows of figures. It runs in one process or in several processes.
struct Benchmark: Sendable {
  let name: String
  /// The number of processes that measure the figures. The median of each figure is reported. A benchmark that allocates and frees much
  /// memory needs several processes, because the memory that malloc happens to retain shifts all rounds of a process by up to a tenth.
  var processes = 1
  let run: @MainActor @Sendable () async throws -> [Row]

  static let all = [
    coldPhotos, coldSmall, warmDisk, warmMemory, bind, creation, join, memory, paddedMemory, thumbnails, animations, scroll, journey,
    caches,
    growth, hosts,
    lockHolds, decode
  ]
}
