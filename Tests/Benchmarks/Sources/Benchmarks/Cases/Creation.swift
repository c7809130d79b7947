import FutureImage

/// Futures that wait in the loader's queue: what each costs of memory and of the time of whoever makes it.
extension Benchmark {
  static let creation = Benchmark(name: "creation") {
    let count = 100_000
    let urls = (0..<count).map { Samples.url($0) }
    var bytes: [Double] = []
    let seconds = try await rounds(5) {
      let loader = FutureImage.Loader.idle()
      var seconds = 0.0
      let (growth, futures) = heapGrowth {
        var futures: [FutureImage] = []
        seconds = threadTime {
          futures.reserveCapacity(count)
          for url in urls { futures.append(FutureImage(at: url, loader: loader)) }
        }
        return futures
      }
      bytes.append(growth / Double(count))
      withExtendedLifetime(futures) {}
      return seconds / Double(count)
    }
    return [
      Row("creation, bytes", bytes, limit: 600, unit: "bytes a future"),
      Row("creation, time", seconds, limit: 5, unit: "µs a future", scale: 1e6)
    ]
  }
}
