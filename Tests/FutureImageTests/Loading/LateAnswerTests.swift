import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Answers that are delivered after newer ones, because the loader delivers outside of its lock.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LateAnswerTests {
  let decoder = GatedDecoder()
  let memory = HeldMemory()
  let shop: Shop

  init() {
    let decoder = decoder
    shop = Shop {
      $0.decoder = decoder
      $0.retry = .never
    }
  }

  /// Loads red bytes from disk for two futures. The delivery to the first one is held while it stores the pixels that were in the pool. A
  /// reload replaces the image by a blue one before the second future gets its answer.
  /// - Returns: the second future, whose small decode of the new image waits in the decoder, and all futures.
  private func replacedBeforeTold() async throws -> (late: FutureImage, others: [FutureImage]) {
    let tier = HeldTier(Colour.red.jpeg())
    tier.holdReads()
    let futures = (0..<2).map { _ in shop.future(policy: .tiers(memory: memory, disk: tier)) }
    let reloader = shop.future()
    await shop.held.waitForHeld()
    shop.held.resolve(with: Colour.red.jpeg())
    // Two sizes, so that the trial of the new image leaves no pixels.
    _ = try await reloader.value(fitting: .square(8))
    _ = try await reloader.value
    for future in futures { future.wait(.square(8)) { _ in } }
    await memory.hold(.store)
    tier.letGo()
    await memory.waitForHeld()
    let late = try #require(futures.first { $0.state.withLock { $0.wish.isPending } })
    decoder.close(passing: 1)
    reloader.reload()
    await shop.held.waitForHeld()
    shop.held.resolve(with: Colour.blue.jpeg())
    await decoder.waitForHeld()
    await waitWhile(late.generation == 0)
    return (late, futures + [reloader])
  }

  /// A clock that calls a closure once when it is read.
  private struct NotedClock: Clock {
    let base = ManualClock()
    let whenRead = Lock<(@Sendable () -> Void)?>(nil)

    var now: ManualClock.Instant {
      whenRead.withLock { $0.take() }?()
      return base.now
    }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      try await base.sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test func `a future about to fail gets the bytes that another future has by then`() async throws {
    let clock = NotedClock()
    let shop = Shop {
      $0.retry = .never
      $0.clock = clock
    }
    let other = shop.future(policy: .modelOnly)
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(404))
    await shop.loader.waitUntilSettled()
    let body = Picture.jpeg()
    let encoded = Encoded(data: body, size: try shop.loader.configuration.decoder.size(of: body), isFromDisk: true)
    // The loader checks the age of the refusal after it has found no future with the bytes.
    clock.whenRead.withLock { $0 = { other.recover(with: encoded) } }
    let late = shop.future(policy: .modelOnly)
    await shop.loader.waitUntilSettled()
    #expect(other.keptBytes != nil && late.failure == nil)
    _ = try await late.value
    #expect(shop.held.requests.count == 1)
  }

  @Test func `a future gets the bytes that another one retains while a third one, whose disk tier lacks them, fetches them`() async throws {
    let first = shop.future(policy: .modelOnly)
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.waitUntilSettled()
    #expect(first.keptBytes != nil)
    let stored = shop.future(policy: .tiers(memory: nil, disk: HeldTier()))
    await shop.held.waitForHeld()
    let second = shop.future(policy: .modelOnly)
    let answer = Lock<Result<UIImage, FutureImage.Failure>?>(nil)
    second.wait(.full) { result in answer.withLock { $0 = result } }
    shop.held.fail(nil, .status(404))
    await shop.loader.waitUntilSettled()
    #expect(try answer.withLock { $0 }?.get() != nil)
    #expect(stored.failure?.reason == .status(404))
  }

  @Test func `a future that fails gets the bytes that another one retains while a third one begins to fetch them anew`() async throws {
    let shop = Shop {
      $0.retry = .never
      $0.retry.failureMemory = .zero
    }
    let (other, late) = (shop.future(policy: .modelOnly), shop.future(policy: .modelOnly))
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(404))
    await shop.loader.waitUntilSettled()
    late.wait(.full) { _ in }
    await shop.held.waitForHeld()
    let request = try #require(late.state.withLock { $0.wish.request })
    let body = Picture.jpeg()
    other.recover(with: Encoded(data: body, size: try shop.loader.configuration.decoder.size(of: body), isFromDisk: true))
    late.take(.failure(shop.loader.refusal(FutureImage.Failure(.status(404), source: ""))), for: request)
    #expect(late.failure == nil && late.keptBytes != nil)
    // The loader did not give that answer, so its transfer still waits for one.
    shop.held.fail()
    await shop.loader.waitUntilSettled()
  }

  @Test func `a future that must revalidate first gets no retained bytes when its request fails`() async throws {
    let shop = Shop { $0.retry = .never }
    let first = shop.future(policy: .modelOnly)
    await shop.held.waitForHeld()
    shop.held.resolve(Shop.url(), with: Picture.jpeg(), headers: ["cache-control": "no-cache", "etag": "\"1\""])
    _ = try await first.value
    let second = shop.future(policy: .modelOnly)
    await shop.held.waitForHeld()
    shop.held.fail(nil, .status(503))
    await shop.loader.waitUntilSettled()
    #expect(first.keptBytes != nil && second.failure?.reason == .status(503))
  }

  @Test func `bytes delivered after the image was replaced are not mistaken for the new one`() async throws {
    let (late, others) = try await replacedBeforeTold()
    memory.letGo()
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(!late.requestsBytes)
    #expect(Colour.blue.isNearly(try await late.value.colour))
    withExtendedLifetime(others) {}
  }

  @Test func `a waiter registered before bytes of a replaced image arrive gets the new image`() async throws {
    let (late, others) = try await replacedBeforeTold()
    let answer = Lock<Colour?>(nil)
    late.wait(.full) { result in answer.withLock { $0 = (try? result.get())?.colour } }
    memory.letGo()
    await waitWhile(late.requestsBytes)
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(Colour.blue.isNearly(answer.withLock { $0 }))
    withExtendedLifetime(others) {}
  }

  /// Returns this many futures of one image that was reloaded, and the one whose delivery is held.
  private func reloadedAndHeld(_ count: Int) async throws -> (futures: [FutureImage], told: FutureImage) {
    let futures = (0..<count).map { _ in shop.future(policy: .tiers(memory: memory)) }
    await shop.serve("a", Colour.red.jpeg())
    for future in futures { future.reload() }
    await shop.held.waitForRequests(2)
    await memory.hold(.remove)
    shop.held.resolve(with: Colour.blue.jpeg())
    await memory.waitForHeld()
    let told = try #require(futures.first { $0.state.withLock { $0.revision } == 1 })
    return (futures, told)
  }

  @Test func `futures that get two reloads in the wrong order have the newer image and no pending request`() async throws {
    let (futures, told) = try await reloadedAndHeld(4)
    told.reload()
    await shop.held.waitForRequests(3)
    shop.held.resolve(with: Colour(green: 250).jpeg())
    await waitWhile(!futures.allSatisfy({ $0.state.withLock { $0.revision } == 2 }))
    memory.letGo()
    await shop.loader.waitUntilSettled()
    #expect(futures.allSatisfy { $0.state.withLock { !$0.wish.isPending } })
    for future in futures where !future.requestsBytes {
      #expect(Colour(green: 250).isNearly(try await future.value.colour))
    }
  }

  @Test func `a late answer of an older reload does not remove the newer image from a memory tier`() async throws {
    let (futures, told) = try await reloadedAndHeld(2)
    let late = try #require(futures.first { $0 !== told })
    told.reload()
    await shop.held.waitForRequests(3)
    shop.held.resolve(with: Colour(green: 250).jpeg())
    await waitWhile(late.generation != 2)
    memory.letGo()
    await shop.loader.waitUntilSettled()
    guard !late.requestsBytes else { return #expect(Bool(false), "its request is still pending") }
    _ = try await late.value
    #expect(Colour(green: 250).isNearly(memory.image(forKey: "")?.colour))
  }

  @Test func `a waiter gets the existing image when a reload fails`() async throws {
    let tier = HeldTier(Colour.red.jpeg())
    let future = shop.future(policy: .tiers(disk: tier))
    await shop.loader.waitUntilSettled()
    future.reload()
    await shop.held.waitForHeld()
    let waiting = Task { try await future.value }
    await waitWhile(future.waiterCount == 0)
    shop.held.fail()
    #expect(Colour.red.isNearly(try await waiting.value.colour))
    #expect(future.failure == nil)
    #expect(shop.held.requests.count == 1)
  }
}
