import FutureImage

/// The cost to create, bind, and release a future. It should be the same among a thousand futures and among a hundred thousand futures.
///
/// Each case has a hundred thousand futures, spread over loaders with a given number of futures each. So each case accesses the same amount
/// of memory, and only the work of the loaders differs. In addition, the benchmark reports a figure for a thousand futures without other
/// futures. The memory of so few futures stays in the processor's caches.
extension Benchmark {
  static let growth = Benchmark(name: "growth", processes: 3) {
    let counts = [1_000, 10_000, 100_000]
    let all = Effort.some(100_000)
    let urls = (0..<all).map { Samples.url($0) }
    let view = ImageViews(1, side: 200).views[0]
    var costs = counts.map { _ in [Double]() }
    var alone: [Double] = []
    for round in 0...Effort.rounds(8) {
      // The order alternates, because each case starts with the heap that the previous case left.
      for place in round.isMultiple(of: 2) ? Array(counts.indices) : counts.indices.reversed() {
        let cost = lifeCost(urls, inLoadersOf: counts[place], view)
        if round > 0 { costs[place].append(cost) }
      }
      let cost = (0..<20).map { _ in lifeCost(urls.prefix(1_000), inLoadersOf: 1_000, view) }.reduce(0, +) / 20
      if round > 0 { alone.append(cost) }
    }
    let rows = zip(counts, costs).enumerated().map { place, measured in
      let name = "growth, in loaders of \(measured.0)"
      guard place > 0 else { return Row(name, measured.1, limit: nil, unit: "µs a future", scale: 1e6) }
      return Row(name, Comparison(ours: measured.1, reference: costs[0]), target: 1.2, unit: "µs a future", scale: 1e6)
    }
    return rows + [Row("growth, 1000 futures alone", alone, limit: nil, unit: "µs a future", scale: 1e6)]
  }

  @MainActor private static func lifeCost(_ urls: some Collection<URL>, inLoadersOf count: Int, _ view: UIImageView) -> Double {
    let loaders = (0..<(urls.count + count - 1) / count).map { _ in FutureImage.Loader.idle() }
    var futures: [FutureImage] = []
    futures.reserveCapacity(urls.count)
    let seconds = threadTime {
      for (place, url) in urls.enumerated() { futures.append(FutureImage(at: url, loader: loaders[place / count])) }
      for future in futures { view.futureImage = future }
      view.image = nil
      futures = []
    }
    return seconds / Double(urls.count)
  }
}
