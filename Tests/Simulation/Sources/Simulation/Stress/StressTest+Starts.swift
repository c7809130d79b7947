import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test whose futures fetch nothing before their first use. In each round, all threads use a new future at the same time.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: waiters without a result, and state that released futures left in the loader.
  static func starts(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    stress.makeReliable()
    let server = StressThreads.task { await stress.serve(seed: seed) }
    _ = StressThreads.task {
      for round in 0..<count / 8 {
        let used = Observed(0)
        let future = stress.deferred(names[round % names.count])
        for number in 0..<scale.actors {
          StressThreads.thread {
            var random = SeededGenerator(seed: seed << 8 + UInt64(round * scale.actors + number))
            stress.use(future, &random)
            used.update { $0 += 1 }
          }
        }
        await used.wait { $0 == scale.actors }
      }
    }
    simulator.rest()
    let faults = stress.waiters.wrong + (stress.waiters.missing > 0 ? ["\(stress.waiters.missing) waiters got no result"] : [])
    server.cancel()
    simulator.rest()
    return faults + stress.loader.leftOver
  }

  private func deferred(_ name: String) -> FutureImage {
    let descriptor = Descriptor(source: source(name), Descriptor.Settings(policy: .modelOnly), loader: loader)
    return FutureImage(descriptor, placeholder: nil, isDeferred: true)
  }

  private func use(_ future: FutureImage, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: _ = future.image
    case 1: _ = future.phase
    case 2: future.reload()
    case 3: future.cancel()
    case 4: _ = [future].prefetch(\.self)
    default:
      let (waiters, number) = (waiters, waiters.add())
      future.wait(.full) { _ in waiters.record(number) }
    }
  }
}
