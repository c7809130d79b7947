import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair whose server refuses half of the requests for one image, permanently.
extension Fair {
  /// - Returns: the faults: futures that remain failed although the bytes are there, and waiters without a result.
  static func refusals(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair()
    let name = changedName(seed)
    let futures = [FutureImage.CachePolicy.modelOnly, .modelOnly, fair.policies[name]?.last ?? .automatic].map { fair.make(name, $0) }
    let server = Together.task {
      var random = SeededGenerator(seed: ~seed)
      while !Task.isCancelled {
        await fair.shop.held.waitForHeld()
        if Bool.random(using: &random) {
          fair.shop.held.resolve(Shop.url(name), with: colour(name, version: 0).jpeg())
        } else {
          fair.shop.held.answer(Shop.url(name), FutureImage.Response(status: 404))
        }
        await Task.yield()
      }
    }
    for number in 0..<scale.visitors {
      Together.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 { fair.request(futures, &random) }
      }
    }
    simulator.rest()
    server.cancel()
    simulator.rest()
    return fair.forgotten() + (fair.told.missing > 0 ? ["\(fair.told.missing) were never told"] : [])
  }

  private func request(_ futures: [FutureImage], _ random: inout SeededGenerator) {
    Together.giveWay()
    guard let future = futures.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1:
      Together.note("reload")
      future.reload()
    case 2:
      Together.note("retry what failed")
      loader.retryFailed()
    default:
      Together.note("wait")
      let (told, number) = (told, told.add())
      future.wait(.full) { _ in told.tell(number) }
    }
  }
}
