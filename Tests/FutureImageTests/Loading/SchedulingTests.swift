import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Which transfer begins when, and how many run at a time.
@MainActor @Suite struct SchedulingTests {
  let held: HeldFetcher
  let counting: CountingFetcher
  let shop: Shop

  init() {
    let held = HeldFetcher()
    let counting = CountingFetcher(held)
    (self.held, self.counting) = (held, counting)
    shop = Shop { $0.fetcher = counting }
  }

  private func url(_ host: Int, _ number: Int) -> URL { URL(string: "https://host\(host).test/\(number).jpg") ?? Shop.url() }

  /// The URLs in the order in which they are asked for, each answered as it comes. With one transfer at a time.
  private func order(_ shop: Shop, of count: Int) async -> [String] {
    for number in 1...count {
      await shop.held.waitForRequests(number)
      shop.held.resolve(with: Picture.jpeg())
    }
    return shop.held.requests.map { $0.url.deletingPathExtension().lastPathComponent }
  }

  // MARK: Limits

  @Test func `under load no more transfers run than the limits allow, in all and to one host, and as many as they allow`() async {
    let jpeg = Picture.jpeg(8, 6)
    // One host has half of them.
    let futures = (0..<600).map { FutureImage(at: url(max(0, $0 % 10 - 4), $0), loader: shop.loader) }
    for number in futures.indices {
      await held.waitForRequests(number + 1)
      held.resolve(held.requests[number].url, with: jpeg)
    }
    await shop.loader.settled()
    #expect(futures.allSatisfy { $0.phase.name == "fetched" })
    #expect(counting.most == 24)
    #expect(counting.mostOfHost.count == 6)
    #expect(counting.mostOfHost["host0.test"] == 6)
    #expect(counting.mostOfHost.values.allSatisfy { $0 <= 6 })
  }

  @Test func `the limits hold while transfers are cancelled and fail, and all that is wanted comes`() async {
    let jpeg = Picture.jpeg(8, 6)
    let shop = Shop {
      $0.fetcher = counting
      $0.retry = .never
    }
    var futures = (0..<600).map { FutureImage(at: url($0 % 6, $0), loader: shop.loader) }
    var random = SeededGenerator(seed: 7)
    var number = 0
    while !shop.loader.state.withLock({ $0.transfers.isEmpty }) {
      guard number < held.requests.count else {
        await Task.yield()
        continue
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: held.fail(held.requests[number].url)
      case 1: futures.first { $0.key == held.requests[number].url.absoluteString }?.cancel()
      case 2: futures.removeAll { $0.key == held.requests[number].url.absoluteString }
      default: held.resolve(held.requests[number].url, with: jpeg)
      }
      number += 1
      // Some that still wait for a slot.
      if number % 3 == 0 { futures.removeLast() }
      if number % 3 == 1 { futures.randomElement(using: &random)?.cancel() }
    }
    await shop.loader.settled()
    #expect(futures.allSatisfy { ["fetched", "failed"].contains($0.phase.name) })
    #expect(counting.running == 0)
    #expect(counting.most <= 24)
    #expect(counting.mostOfHost.values.allSatisfy { $0 <= 6 })
  }
}
