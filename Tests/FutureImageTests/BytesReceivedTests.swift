import Foundation
import FutureImageTesting
import Observation
import Testing

@testable import FutureImage

/// The number of an image's bytes that have arrived, for a label.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct BytesReceivedTests {
  typealias BytesReceived = FutureImage.BytesReceived

  let shop = Shop()
  let body = Picture.noise(400, 300)

  private func begin(_ count: Int, expected: Int?, headers: [String: String] = [:]) async {
    await shop.held.waitForHeld()
    shop.held.begin(
      Shop.url(), FutureImage.Response(status: 200, headers: headers, expectedBytes: expected), body.prefix(count))
  }

  @Test func `the received and expected byte counts are known from the response to the end of the transfer`() async {
    let future = shop.future()
    #expect(future.bytesReceived == nil)
    await begin(10_000, expected: body.count)
    #expect(future.bytesReceived == BytesReceived(count: 10_000, expected: body.count))
    shop.held.proceed(with: body.dropFirst(10_000).prefix(500))
    #expect(future.bytesReceived?.count == 10_500)
    shop.held.finish(with: body.dropFirst(10_500))
    await shop.loader.waitUntilSettled()
    guard case .fetched = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    #expect(future.bytesReceived == nil)
  }

  @Test func `without a length, only the received count is known, and every 32 KiB cause a phase`() async {
    let future = shop.future()
    let counts = Lock<[Int]>([])
    let view = imageView(64)
    view.display(
      future, .init { [weak future] _ in if let bytes = future?.bytesReceived { counts.withLock { $0.append(bytes.count) } } })
    await begin(1_000, expected: nil)
    await shop.loader.delivered()
    #expect(future.bytesReceived == BytesReceived(count: 1_000, expected: nil))
    let before = counts.withLock { $0 }.count
    for part in [32_000, 32_768, 1] {
      shop.held.proceed(with: Data(repeating: 0, count: part))
      await shop.loader.delivered()
    }
    #expect(counts.withLock { $0 }.dropFirst(before) == [33_000, 65_768])
    #expect(future.bytesReceived?.count == 65_769)
    guard case .loading(nil) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
  }

  @Test func `a resumed body continues the count, and a restarted body starts at 0`() async {
    let future = shop.future()
    let tag = ["etag": "\"1\""]
    await begin(10_000, expected: body.count, headers: tag)
    shop.held.fail()
    await shop.clock.waitForSleepers()
    #expect(future.bytesReceived?.count == 10_000)
    shop.clock.advance(by: .seconds(1))
    await shop.held.waitForHeld()
    let range = "bytes 10000-\(body.count - 1)/\(body.count)"
    let response = FutureImage.Response(status: 206, headers: tag.merging(["content-range": range]) { $1 })
    shop.held.begin(Shop.url(), response, body.dropFirst(10_000).prefix(100))
    #expect(future.bytesReceived == BytesReceived(count: 10_100, expected: body.count))
    shop.held.fail()
    await shop.clock.waitForSleepers()
    shop.clock.advance(by: .seconds(1))
    await begin(50, expected: body.count, headers: tag)
    #expect(future.bytesReceived == BytesReceived(count: 50, expected: body.count))
  }

  @Test func `all futures of an image have the same count, but a canceled one has none`() async {
    let futures = [shop.future(), shop.future(), shop.future()]
    await begin(10_000, expected: body.count)
    futures[1].cancel()
    #expect(futures.map { $0.bytesReceived?.count } == [10_000, nil, 10_000])
  }

  @Test func `an error response has no byte count, and neither does a future without a source`() async {
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 404, expectedBytes: 5_000), body.prefix(1_000))
    await shop.loader.waitUntilSettled()
    #expect(future.bytesReceived == nil)
    #expect(FutureImage().bytesReceived == nil)
  }

  @Test func `an observer of the byte count is notified when more bytes arrive`() async {
    let future = shop.future()
    await begin(1_000, expected: body.count)
    await shop.loader.delivered()
    let changes = Lock<[Int]>([])
    withObservationTracking {
      _ = future.bytesReceived
    } onChange: {
      changes.withLock { $0.append(1) }
    }
    shop.held.proceed(with: body.dropFirst(1_000).prefix(body.count / 2))
    await shop.loader.delivered()
    #expect(changes.withLock { $0 } == [1])
  }
}
