import FutureImage

/// Many futures of one URL, which must share one request, and cost little each. The limit of the cost is in yardsticks, which are the time
/// of a fixed piece of work on the same machine (`Yardstick`).
extension Benchmark {
  static let join = Benchmark(name: "join") {
    let count = 10_000
    var requests: [Double] = []
    var leaving: [Double] = []
    let seconds = try await roundsWithYardstick(9) {
      let loader = FutureImage.Loader.idle()
      let url = Samples.url(0)
      var futures: [FutureImage] = []
      futures.reserveCapacity(count)
      let seconds = threadTime {
        for _ in 0..<count { futures.append(FutureImage(at: url, loader: loader)) }
      }
      while loader.statistics.requests == 0 { await Task.yield() }
      requests.append(Double(loader.statistics.requests))
      leaving.append(threadTime { futures = [] } / Double(count))
      return seconds / Double(count)
    }
    return [
      Row("join, time", relativeToYardstick: seconds, limit: 3, unit: "µs a future", scale: 1e6),
      Row("join, time to let them go", leaving, limit: nil, unit: "µs a future", scale: 1e6),
      Row("join, requests for 10,000", requests, limit: 1, unit: "requests")
    ]
  }
}
