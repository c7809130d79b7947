import FutureImage

/// The main thread's cost of binding a view, while few or many other futures exist. The limits are in yardsticks, which are the time of a
/// fixed piece of work on the same machine (`Yardstick`).
extension Benchmark {
  static let bind = Benchmark(name: "bind") {
    let (few, many) = (10, 100_000)
    let loader = FutureImage.Loader.idle()
    let ready = try await Samples.ready(few, in: loader)
    let readyFew = try await roundsWithYardstick(25) { cost(of: ready) }
    let waiting = Samples.waiting(few, in: loader)
    let waitingFew = try await roundsWithYardstick(25) { cost(of: waiting) }
    let others = Samples.waiting(many, in: loader)
    let readyMany = try await roundsWithYardstick(25) { cost(of: ready) }
    let waitingMany = try await roundsWithYardstick(25) { cost(of: Array(others[1_000..<1_010])) }
    return [
      Row("bind ready, 10 futures alive", relativeToYardstick: readyFew, limit: 1, unit: "µs", scale: 1e6),
      Row("bind ready, 100,000 alive", relativeToYardstick: readyMany, limit: 1, unit: "µs", scale: 1e6, reference: readyFew.ours),
      Row("bind waiting, 10 alive", relativeToYardstick: waitingFew, limit: 3, unit: "µs", scale: 1e6),
      Row("bind waiting, 100,000 alive", relativeToYardstick: waitingMany, limit: 3, unit: "µs", scale: 1e6, reference: waitingFew.ours)
    ]
  }

  /// Repeatedly binds as many views as there are futures, each time to the next future.
  /// - Returns: the time of one binding, in seconds.
  @MainActor private static func cost(of futures: [FutureImage]) -> Double {
    let views = futures.map { _ in
      let view = BareImageView(frame: CGRect(x: 0, y: 0, width: 200, height: 200))
      view.contentMode = .scaleAspectFit
      return view
    }
    let turns = 200
    let seconds = threadTime {
      for turn in 1...turns {
        for (index, view) in views.enumerated() { view.futureImage = futures[(index + turn) % futures.count] }
      }
    }
    for view in views { view.image = nil }
    return seconds / Double(turns * futures.count)
  }
}
