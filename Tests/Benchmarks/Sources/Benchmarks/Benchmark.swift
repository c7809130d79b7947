/// One measurement: rows of figures, from one process or several.
struct Benchmark: Sendable {
  let name: String
  /// The number of processes that measure it; the median of each figure is reported. Where much memory is allocated and freed, the memory
  /// that malloc happens to retain moves all rounds of a process by up to a tenth.
  var processes = 1
  let run: @MainActor @Sendable () async throws -> [Row]

  static let all = [
    coldPhotos, coldSmall, warmDisk, warmMemory, bind, creation, join, memory, paddedMemory, thumbnails, scroll, journey, caches, growth,
    hosts,
    lockHolds, decode
  ]
}
