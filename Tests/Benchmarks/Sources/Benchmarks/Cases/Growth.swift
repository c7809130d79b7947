import FutureImage

/// Whether a future costs the same among a thousand and among a hundred thousand: to make it, to bind it and to let it go.
extension Benchmark {
  static let growth = Benchmark(name: "growth") {
    let counts = [1_000, 10_000, 100_000]
    var costs = counts.map { _ in [Double]() }
    for round in 0...Effort.rounds(7) {
      for (place, count) in counts.enumerated() {
        let cost = lifeCost(count, times: max(1, 20_000 / count))
        if round > 0 { costs[place].append(cost) }
      }
    }
    return zip(counts, costs).enumerated().map { place, measured in
      let name = "growth, \(measured.0) futures"
      guard place > 0 else { return Row(name, measured.1, limit: nil, unit: "µs a future", scale: 1e6) }
      return Row(name, Comparison(ours: measured.1, reference: costs[0]), target: 1.2, unit: "µs a future", scale: 1e6)
    }
  }

  @MainActor private static func lifeCost(_ count: Int, times: Int) -> Double {
    let urls = (0..<count).map { Samples.url($0) }
    let view = Gallery(1, side: 200).views[0]
    var seconds = 0.0
    for _ in 0..<times {
      let loader = FutureImage.Loader.idle()
      var futures: [FutureImage] = []
      futures.reserveCapacity(count)
      seconds += threadTime {
        for url in urls { futures.append(FutureImage(at: url, loader: loader)) }
        for future in futures { view.futureImage = future }
        view.image = nil
        futures = []
      }
    }
    return seconds / Double(times * count)
  }
}
