import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test without faults, in which all threads request the same few images at once.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults.
  static func joins(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    stress.makeReliable()
    let names = StressTest.names.prefix(3)
    let server = StressThreads.task { await stress.serve(seed: seed) }
    let futures = Observed<[FutureImage]>([])
    for number in 0..<scale.actors {
      StressThreads.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 20 {
          let future = stress.fixture.future(names.randomElement(using: &random) ?? "0", policy: .modelOnly)
          futures.update { $0.append(future) }
          if Bool.random(using: &random) { future.wait(.full) { _ in } }
          StressThreads.yieldTurn()
        }
      }
    }
    simulator.rest()
    let asked = Dictionary(grouping: stress.fixture.held.requests, by: \.url).filter { $0.value.count > 1 }
    server.cancel()
    simulator.rest()
    let waiting = futures.read { $0 }.filter { !["fetched", "ready"].contains($0.phase.name) }
    // Each image is decoded at one size only, so all images fit into the pool.
    let decodes = stress.loader.statistics.decodes
    let twice = decodes > names.count ? ["\(names.count) images were decoded \(decodes) times"] : []
    return twice + asked.map { "\($0.key) was fetched \($0.value.count) times" } + waiting.map { "a future is \($0.phase)" }
  }
}
