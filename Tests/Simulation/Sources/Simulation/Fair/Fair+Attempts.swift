import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair whose server fails most attempts for a moment. Each visitor requests an image of its own, and gives it up at any time.
extension Fair {
  /// - Returns: the faults: what is left of requests that were given up.
  static func attempts(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair(passTime: Together.pass, change: { $0.clock = SimulatedClock() })
    let server = Together.task {
      var random = SeededGenerator(seed: ~seed)
      while !Task.isCancelled {
        await fair.shop.held.waitForHeld()
        let status = Int.random(in: 0..<4, using: &random) == 0 ? 404 : 503
        fair.shop.held.answer(nil, FutureImage.Response(status: status))
        await Task.yield()
      }
    }
    for number in 0..<scale.visitors {
      let name = names[number % names.count]
      Together.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 {
          let future = fair.make(name, .modelOnly)
          for _ in 0..<Int.random(in: 1..<8, using: &random) { Together.giveWay() }
          if Bool.random(using: &random) {
            Together.note("cancel \(name)")
            future.cancel()
          }
        }
      }
    }
    simulator.rest(for: .seconds(600))
    server.cancel()
    simulator.rest(for: .seconds(600))
    return fair.loader.leftOver
  }
}
