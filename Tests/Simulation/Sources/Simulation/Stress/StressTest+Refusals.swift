import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test whose server answers half of the requests with a permanent failure. Its waiters take some time when they get their
/// results.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: futures that remain failed although their bytes have arrived, and waiters without a result.
  static func refusals(seed: UInt64, each count: Int) -> [String] {
    let (stress, delay) = (StressTest(), RandomDelay(seed: seed))
    let server = StressThreads.task {
      var random = SeededGenerator(seed: ~seed)
      while !Task.isCancelled {
        await stress.fixture.held.waitForHeld()
        if let url = stress.fixture.held.heldURLs.randomElement(using: &random) { stress.answerOrRefuse(url, &random) }
        await Task.yield()
      }
    }
    var faults: [String] = []
    // After an image has arrived, its futures retain it, and nothing fails any more. So each image has only a few requests.
    for (round, name) in names.enumerated() where faults.isEmpty {
      let futures = [FutureImage.CachePolicy.modelOnly, .modelOnly, stress.policies[name]?.last ?? .automatic].map { stress.make(name, $0) }
      for number in 0..<scale.actors {
        StressThreads.thread {
          var random = SeededGenerator(seed: seed << 6 + UInt64(round * scale.actors + number))
          for _ in 0..<max(count / 32, 1) { stress.request(futures, delay, &random) }
        }
      }
      simulator.rest(for: .seconds(600))
      faults = stress.forgotten() + (stress.waiters.missing > 0 ? ["\(stress.waiters.missing) waiters got no result"] : [])
      withExtendedLifetime(futures) {}
    }
    server.cancel()
    simulator.rest(for: .seconds(600))
    return faults
  }

  private func answerOrRefuse(_ url: URL, _ random: inout SeededGenerator) {
    guard Bool.random(using: &random) else { return fixture.held.answer(url, FutureImage.Response(status: 404)) }
    let name = StressTest.names.first { LoaderFixture.url($0) == url } ?? ""
    fixture.held.resolve(url, with: StressTest.color(name, version: 0).jpeg())
  }

  private func request(_ futures: [FutureImage], _ delay: RandomDelay, _ random: inout SeededGenerator) {
    StressThreads.yieldTurn()
    guard let future = futures.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1:
      StressThreads.note("reload")
      future.reload()
    case 2:
      StressThreads.note("retry what failed")
      loader.retryFailed()
    default:
      StressThreads.note("wait")
      let (waiters, number) = (waiters, waiters.add())
      future.wait(.full) { _ in
        waiters.record(number)
        delay.take()
      }
    }
  }
}
