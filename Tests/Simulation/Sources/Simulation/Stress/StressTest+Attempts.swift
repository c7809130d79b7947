import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test whose server answers most attempts with a temporary failure. Each thread requests its own image, and cancels or releases
/// the future at any time.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: state that canceled requests left in the loader.
  static func attempts(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest(passTime: StressThreads.pass, change: { $0.clock = SimulatedClock() })
    let server = StressThreads.task {
      var random = SeededGenerator(seed: ~seed)
      while !Task.isCancelled {
        await stress.fixture.held.waitForHeld()
        let status = Int.random(in: 0..<4, using: &random) == 0 ? 404 : 503
        stress.fixture.held.answer(nil, FutureImage.Response(status: status))
        await Task.yield()
      }
    }
    for number in 0..<scale.actors {
      let name = names[number % names.count]
      StressThreads.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 {
          let future = stress.make(name, .modelOnly)
          for _ in 0..<Int.random(in: 1..<8, using: &random) { StressThreads.yieldTurn() }
          if Bool.random(using: &random) {
            StressThreads.note("cancel \(name)")
            future.cancel()
          }
        }
      }
    }
    simulator.rest(for: .seconds(600))
    server.cancel()
    simulator.rest(for: .seconds(600))
    return stress.loader.leftOver
  }
}
