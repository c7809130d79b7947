import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("“Canceling one kills the others”", .tags(.threads), .timeLimit(.minutes(5))) struct OneCancelTests {
  let shop = Shop()

  @Test func `ten thousand futures of one URL make one request, and canceling all but one lets that one finish`() async throws {
    let futures = (0..<10_000).map { _ in shop.future() }
    await shop.held.waitForRequests()
    for future in futures.dropLast() { future.cancel() }
    shop.held.resolve(with: Picture.jpeg())
    let image = try await #require(futures.last).value
    #expect(image.size == CGSize(width: 64, height: 48))
    #expect(shop.held.requests.count == 1)
    #expect(futures.dropLast().allSatisfy { if case .failed(let failure) = $0.phase { failure.reason == .cancelled } else { false } })
    #expect(shop.loader.statistics.joined == 9_999)
  }

  @Test func `one cancel leaves the others' transfer alone`() async throws {
    let (first, second) = (shop.future(), shop.future())
    await shop.held.waitForRequests()
    first.cancel()
    shop.held.resolve(with: Picture.jpeg())
    _ = try await second.value
    #expect(shop.held.cancelledCount == 0)
  }
}
