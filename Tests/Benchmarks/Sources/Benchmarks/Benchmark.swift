/// One thing that is measured: some rows of figures, in a process of its own.
struct Benchmark: Sendable {
  let name: String
  let run: @MainActor @Sendable () async throws -> [Row]

  static let all = [
    coldPhotos, coldSmall, warmDisk, warmMemory, bind, creation, join, memory, scroll, journey, caches, growth, decode
  ]
}
