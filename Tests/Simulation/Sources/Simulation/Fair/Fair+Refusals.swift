import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair whose server refuses half of the requests, permanently. Its visitors take their time when they are told.
extension Fair {
  /// - Returns: the faults: futures that remain failed although the bytes are there, and waiters without a result.
  static func refusals(seed: UInt64, each count: Int) -> [String] {
    let (fair, leisure) = (Fair(), Leisure(seed: seed))
    let server = Together.task {
      var random = SeededGenerator(seed: ~seed)
      while !Task.isCancelled {
        await fair.shop.held.waitForHeld()
        if let url = fair.shop.held.heldURLs.randomElement(using: &random) { fair.answerOrRefuse(url, &random) }
        await Task.yield()
      }
    }
    var faults: [String] = []
    // Once an image has arrived, its futures retain it. So each image has few turns, in which the first ones decide.
    for (round, name) in names.enumerated() where faults.isEmpty {
      let futures = [FutureImage.CachePolicy.modelOnly, .modelOnly, fair.policies[name]?.last ?? .automatic].map { fair.make(name, $0) }
      for number in 0..<scale.visitors {
        Together.thread {
          var random = SeededGenerator(seed: seed << 6 + UInt64(round * scale.visitors + number))
          for _ in 0..<max(count / 32, 1) { fair.request(futures, leisure, &random) }
        }
      }
      simulator.rest(for: .seconds(600))
      faults = fair.forgotten() + (fair.told.missing > 0 ? ["\(fair.told.missing) were never told"] : [])
      withExtendedLifetime(futures) {}
    }
    server.cancel()
    simulator.rest(for: .seconds(600))
    return faults
  }

  private func answerOrRefuse(_ url: URL, _ random: inout SeededGenerator) {
    guard Bool.random(using: &random) else { return shop.held.answer(url, FutureImage.Response(status: 404)) }
    let name = Fair.names.first { Shop.url($0) == url } ?? ""
    shop.held.resolve(url, with: Fair.colour(name, version: 0).jpeg())
  }

  private func request(_ futures: [FutureImage], _ leisure: Leisure, _ random: inout SeededGenerator) {
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
      future.wait(.full) { _ in
        told.tell(number)
        leisure.take()
      }
    }
  }
}
