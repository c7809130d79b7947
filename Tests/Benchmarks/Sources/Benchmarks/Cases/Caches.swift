import CReference
import FutureImage

/// The caches without the loader: the memory cache compared with NSCache, and the disk cache compared with files.
extension Benchmark {
  static let caches = Benchmark(name: "caches") {
    let scratch = try Scratch()
    return try await memoryRows() + diskRows(scratch) + [firstAnswer(scratch)]
  }

  /// Measures the memory cache inside a lock, as the library uses it. The memory cache is not public, so this program compiles the
  /// library's source file. Both caches have Swift strings as keys, as in apps, and NSCache needs the strings as objects. Each call that
  /// sets a value adds a new key.
  @MainActor private static func memoryRows() async throws -> [Row] {
    var rows: [Row] = []
    for count in [1_000, 100_000] {
      let keys = (0..<count).map { "https://images.example.com/prints/\($0)/photo.jpg" }
      let order = keys.shuffled()
      let value = NSNumber(value: 1)
      let ours = Lock(MemoryCache<String, NSNumber>(costLimit: .max))
      let theirs = NSCache<NSString, NSNumber>()
      let times = max(1, 20_000 / count)
      let total = Double(count * times)
      let set = try await Comparison(rounds: count > 1_000 ? 3 : 9) {
        var seconds = 0.0
        for _ in 0..<times {
          ours.withLock { cache in _ = cache.removeAll() }
          seconds += threadTime { for key in order { ours.withLock { cache in _ = cache.insert(value, forKey: key, cost: 1) } } }
        }
        return seconds / total
      } reference: {
        var seconds = 0.0
        for _ in 0..<times {
          theirs.removeAllObjects()
          seconds += threadTime { for key in order { theirs.setObject(value, forKey: key as NSString, cost: 1) } }
        }
        return seconds / total
      }
      let get = try await Comparison(rounds: count > 1_000 ? 3 : 9) {
        var found = 0
        let seconds = threadTime {
          for _ in 0..<times {
            for key in order where ours.withLock({ $0.value(forKey: key) }) != nil { found += 1 }
          }
        }
        guard found == count * times else { throw Child.Failed(description: "\(found) of \(count * times) found") }
        return seconds / total
      } reference: {
        threadTime {
          for _ in 0..<times { for key in order { _ = theirs.object(forKey: key as NSString) } }
        } / total
      }
      rows.append(Row("memory cache of \(count), set", set, target: 0.25, unit: "ns", scale: 1e9))
      rows.append(Row("memory cache of \(count), get", get, target: 0.25, unit: "ns", scale: 1e9))
    }
    return rows
  }

  @MainActor private static func diskRows(_ scratch: Scratch) async throws -> [Row] {
    let count = 64
    let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    let cache = FutureImage.DiskCache(directory: scratch.folder())
    let plain = scratch.folder("plain")
    try FileManager.default.createDirectory(at: plain, withIntermediateDirectories: true)
    let files = (0..<count).map { plain.appending(path: "\($0)") }
    let write = try await Comparison(rounds: 9) {
      try await wallTime {
        for index in 0..<count { try await cache.store(FutureImage.CacheEntry(body: body), forKey: "entry \(index)") }
      } / Double(count)
    } reference: {
      try await wallTime { for file in files { try body.write(to: file, options: .atomic) } } / Double(count)
    }
    let read = try await Comparison(rounds: 15) {
      try await wallTime { try await readAll(count, of: cache, body.count) } / Double(count)
    } reference: {
      try await wallTime {
        for file in files {
          var bytes = 0
          _ = reference_read(file.path(percentEncoded: false), &bytes)
          guard bytes == body.count else { throw Pictures.Missing() }
        }
      } / Double(count)
    }
    return [
      Row("disk cache, read 100 KB", read, target: 1.3, unit: "µs", scale: 1e6),
      Row("disk cache, write 100 KB", write, target: 1.2, unit: "µs", scale: 1e6)
    ]
  }

  /// Reads outside of the main actor, like the loader. On the main actor, each answer would have to wake the main thread.
  nonisolated private static func readAll(_ count: Int, of cache: FutureImage.DiskCache, _ size: Int) async throws {
    for index in 0..<count {
      guard try await cache.entry(forKey: "entry \(index)")?.body.count == size else { throw Pictures.Missing() }
    }
  }

  /// Measures the first answer of a new cache object whose folder has 100,000 entries.
  @MainActor private static func firstAnswer(_ scratch: Scratch) async throws -> Row {
    let directory = scratch.folder("many")
    try await FutureImage.DiskCache(directory: directory).store(FutureImage.CacheEntry(body: Data([1])), forKey: "one")
    for folder in 0..<256 {
      let path = directory.appending(path: (folder < 16 ? "0" : "") + String(folder, radix: 16)).path(percentEncoded: false)
      mkdir(path, 0o700)
      for entry in 0..<391 {
        let number = String(folder * 391 + entry, radix: 16)
        let name = String(repeating: "0", count: 62 - number.count) + number
        close(open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o600))
      }
    }
    let seconds = try await rounds(4) {
      let cache = FutureImage.DiskCache(directory: directory, maxBytes: 1 << 40, maxAge: nil)
      let seconds = try await wallTime {
        guard try await cache.entry(forKey: "one") != nil else { throw Pictures.Missing() }
      }
      _ = await cache.count()
      return seconds
    }
    return Row("disk cache of 100,000, first answer", seconds, limit: 100, unit: "ms", scale: 1e3)
  }
}
