import FutureImage

/// Futures in the loader's queue: the memory of each future, and the time of the thread that creates it. The limit of the time is in
/// yardsticks, which are the time of a fixed piece of work on the same machine (`Yardstick`).
extension Benchmark {
  static let creation = Benchmark(name: "creation") {
    let bytes = Double(try Child.run(["--part", Part.creation.rawValue]).trimmingCharacters(in: .newlines)) ?? .infinity
    let urls = (0..<futureCount).map { Samples.url($0) }
    let seconds = try await roundsWithYardstick(5) {
      let loader = FutureImage.Loader.idle()
      var futures: [FutureImage] = []
      futures.reserveCapacity(futureCount)
      return threadTime {
        for url in urls { futures.append(FutureImage(at: url, loader: loader)) }
      } / Double(futureCount)
    }
    return [
      Row("creation, bytes", [bytes], limit: 768, unit: "bytes a future"),
      Row("creation, time", relativeToYardstick: seconds, limit: 5, unit: "µs a future", scale: 1e6)
    ]
  }
}

private let futureCount = 100_000

extension Part {
  /// Returns the bytes of heap for each future, without the URL and the array that retains the future.
  @MainActor func creationBytes() -> String {
    let urls = (0..<futureCount).map { Samples.url($0) }
    var futures: [FutureImage] = []
    futures.reserveCapacity(futureCount)
    let (growth, _) = heapGrowth {
      let loader = FutureImage.Loader.idle()
      for url in urls { futures.append(FutureImage(at: url, loader: loader)) }
    }
    return "\(growth / Double(futures.count))"
  }
}
