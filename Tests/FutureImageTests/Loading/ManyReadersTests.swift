import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

private final class Box<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// An image with more readers than one change tells. What the app does between two of those changes has its effect.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ManyReadersTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let count = 2 * Scheduling.few + 10
  private let key = SourceKey(LoaderFixture.url().absoluteString)

  /// Runs the work between the change that tells the first readers and the change that tells the next ones.
  private func between(_ work: @escaping () -> Void, _ state: inout FutureImage.Loader.State) {
    state.effects.rest { _ in
      work()
      return nil
    }
  }

  /// Gives the readers of the picture an image of that size, in place of the one that they have.
  private func replace(width: Int, height: Int, between work: @escaping () -> Void = {}) {
    let encoded = Encoded(
      data: SampleImage.jpeg(width, height), size: FutureImage.PixelSize(width: width, height: height), isFromDisk: false)
    fixture.loader.change { state in
      between(work, &state)
      guard let picture = state.pictures[key] else { return }
      fixture.loader.replaceImage(of: picture, &state)
      let bytes = fixture.loader.settle(encoded, FutureImage.CacheEntry(body: encoded.data), in: picture, nil, &state)
      fixture.loader.deliver((bytes, nil), in: picture, at: .now, &state) { $0.isOutdated }
    }
  }

  private func loaded() async -> [FutureImage] {
    let futures = (0..<count).map { _ in fixture.future("a", policy: .modelOnly) }
    await fixture.serve("a", SampleImage.jpeg())
    return futures
  }

  @Test func `one change visits few objects, and all are visited in order`() {
    let seen = Box<[Int]>([])
    let total = 2 * Scheduling.few + 3
    fixture.loader.change { state in
      between({ seen.value.append(-1) }, &state)
      fixture.loader.visit(Array(0..<total), &state) { number, _ in
        seen.value.append(number)
      } end: { _ in
        seen.value.append(-2)
      }
    }
    #expect(seen.value == Array(0..<Scheduling.few) + [-1] + Array(Scheduling.few..<total) + [-2])
  }

  // MARK: Between two changes of a replacement

  @Test func `all readers get a replacement`() async {
    let futures = await loaded()
    replace(width: 80, height: 60)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 80 })
    #expect(futures.map { $0.withReader(\.revision) } == Array(repeating: 1, count: count))
    #expect(futures[0].withReader { $0.picture?.deliveries } == 0)
  }

  @Test func `code that waits for the last one gets the new image at its size`() async {
    let futures = await loaded()
    let widths = Lock<[Int?]>([])
    replace(width: 80, height: 60) {
      futures[count - 1].wait(.full) { result in widths.withLock { $0.append((try? result.get())?.cgImage?.width) } }
    }
    await fixture.loader.waitForIdle()
    #expect(widths.withLock { $0 } == [80])
  }

  @Test func `a cancellation leaves the last one its new image`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) { futures[count - 1].cancel() }
    #expect(futures[count - 1].wholeSize?.width == 80)
    #expect(futures[count - 1].withReader { $0.failure == nil } == true)
  }

  @Test func `a reload of the last one asks the source once more`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) { futures[count - 1].reload() }
    #expect(futures[count - 1].requestsBytes && futures[count - 1].wholeSize?.width == 80)
    await fixture.serve("a", SampleImage.jpeg(100, 75))
    #expect(fixture.held.requests.count == 2)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 100 && !$0.requestsBytes })
  }

  @Test func `the release of the last one leaves nothing of it behind`() async {
    var futures = await loaded()
    let last = Box<FutureImage?>(futures.removeLast())
    replace(width: 80, height: 60) { last.value = nil }
    #expect(futures.allSatisfy { $0.wholeSize?.width == 80 })
    #expect(futures[0].withReader { $0.picture?.readers.count } == count - 1)
    futures = []
    #expect(fixture.loader.heldByteCount == 0)
  }

  @Test func `a second replacement reaches all readers`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) { replace(width: 100, height: 75) }
    #expect(futures.allSatisfy { $0.wholeSize?.width == 100 })
    #expect(futures[0].withReader { $0.picture?.deliveries } == 0)
  }

  @Test func `no reader gets back an image that is lost meanwhile`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) {
      fixture.loader.change { state in
        if let picture = state.pictures[key] { fixture.loader.loseImage(of: picture, &state) { _, _, _ in } }
      }
    }
    #expect(futures.allSatisfy { $0.wholeSize == nil })
  }

  @Test func `readers of a lost image get the image that another fetch brings meanwhile`() async {
    let futures = await loaded()
    let encoded = Encoded(data: SampleImage.jpeg(80, 60), size: FutureImage.PixelSize(width: 80, height: 60), isFromDisk: false)
    let refused = fixture.loader.remembered(FutureImage.Failure(.status(404)))
    fixture.loader.change { state in
      between(
        { [fixture, key] in
          fixture.loader.change { state in
            guard let picture = state.pictures[key] else { return }
            let bytes = fixture.loader.settle(encoded, FutureImage.CacheEntry(body: encoded.data), in: picture, nil, &state)
            fixture.loader.deliver((bytes, nil), in: picture, at: .now, &state) { $0.awaitsNothing || $0.mayRecover }
          }
        }, &state)
      guard let picture = state.pictures[key] else { return }
      fixture.loader.loseImage(of: picture, &state) { [fixture] reader, _, state in
        fixture.loader.setFailure(refused, of: reader, &state)
      }
    }
    #expect(futures.allSatisfy { $0.wholeSize?.width == 80 && $0.failure == nil })
  }

  // MARK: Other news

  @Test func `a reader that is canceled before its first image arrives stays canceled`() {
    let futures = (0..<count).map { _ in fixture.idle("a", .modelOnly) }
    fixture.loader.change { state in
      between({ futures[count - 1].cancel() }, &state)
      guard let picture = state.pictures[key] else { return }
      for reader in picture.readers { fixture.loader.request(reader, .bytes) }
      let encoded = Encoded(data: SampleImage.jpeg(), size: FutureImage.PixelSize(width: 64, height: 48), isFromDisk: false)
      let bytes = fixture.loader.settle(encoded, FutureImage.CacheEntry(body: encoded.data), in: picture, nil, &state)
      fixture.loader.deliver((bytes, nil), in: picture, at: .now, &state, to: \.awaitsNothing)
    }
    #expect(futures.dropLast().allSatisfy { $0.wholeSize?.width == 64 })
    #expect(futures[count - 1].wholeSize == nil && futures[count - 1].withReader { $0.failure?.failure.isCancelled } == true)
  }

  @Test func `all who wait learn of one failure, once`() async {
    let futures = (0..<count).map { _ in fixture.future("a", policy: .modelOnly) }
    let reasons = Lock<[FutureImage.Failure.Reason?]>([])
    for future in futures {
      future.wait(.full) { result in
        if case .failure(let failure) = result { reasons.withLock { $0.append(failure.reason) } }
      }
    }
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(reasons.withLock { $0 } == Array(repeating: .transport(.connectionLost), count: count))
  }

  @Test func `bytes that turn out to be damaged are not given to the rest`() {
    let futures = (0..<count).map { _ in fixture.future("a", policy: .modelOnly) }
    fixture.loader.change { state in
      guard let picture = state.pictures[key] else { return }
      between({ fixture.loader.change { $0.bytes.release(picture, &$0.departed) } }, &state)
      if let fetch = picture.fetch { fixture.loader.cancel(fetch, &state) }
      let encoded = Encoded(data: SampleImage.jpeg(), size: FutureImage.PixelSize(width: 64, height: 48), isFromDisk: false)
      let bytes = fixture.loader.settle(encoded, FutureImage.CacheEntry(body: encoded.data), in: picture, nil, &state)
      fixture.loader.deliver((bytes, nil), in: picture, at: .now, &state, to: \.awaitsNothing)
    }
    #expect(futures.prefix(Scheduling.few).allSatisfy { $0.wholeSize?.width == 64 })
    #expect(futures.dropFirst(Scheduling.few).allSatisfy { $0.wholeSize == nil && $0.withReader(\.isInFetch) == true })
  }

  @Test func `a reload of the last one isCurrent, although the new bytes are gone`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) {
      fixture.loader.change { state in
        if let picture = state.pictures[key] { state.bytes.release(picture, &state.departed) }
      }
      futures[count - 1].reload()
    }
    #expect(futures[count - 1].requestsBytes)
    await fixture.serve("a", SampleImage.jpeg(100, 75))
    #expect(fixture.held.requests.count == 2)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 100 && !$0.requestsBytes })
  }

  @Test func `a stale image that one of many asks for is revalidated`() async throws {
    let time = SettableDate()
    let disk = FutureImage.DiskCache.temporary()
    let fixture = LoaderFixture(disk: disk) { $0.now = { time.now } }
    var futures = [fixture.future()]
    await fixture.serve("a", SampleImage.jpeg(), headers: ["etag": "\"1\"", "cache-control": "max-age=60"])
    for _ in 1..<count { futures.append(fixture.future()) }
    await fixture.loader.waitForIdle()
    fixture.loader.removeCachedPixels()
    time.advance(seconds: 61)
    futures.append(fixture.future())
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.count == 2)
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=60"]))
    await fixture.loader.waitForIdle()
  }

  @Test func `all lose an image that its source has deleted`() async {
    let futures = await loaded()
    futures[0].reload()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 410))
    await fixture.loader.waitForIdle()
    #expect(futures.allSatisfy { $0.wholeSize == nil })
    #expect(futures.allSatisfy { future in future.withReader { $0.failure?.failure.reason == .status(410) } == true })
  }

  @Test func `all that find nothing in their disk tier share one request`() async {
    let tier = HeldTier()
    tier.holdReads()
    let futures = (0..<count).map { _ in fixture.future("a", policy: .tiers(disk: tier)) }
    tier.release()
    await fixture.serve("a", SampleImage.jpeg())
    #expect(fixture.held.requests.count == 1)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 64 })
  }

  @Test func `all get the image that their disk tier has`() async {
    let tier = HeldTier()
    let first = fixture.future("a", policy: .tiers(disk: tier))
    await fixture.serve("a", SampleImage.jpeg())
    let other = LoaderFixture { $0.retry = .never }
    let futures = (0..<count).map { _ in other.future("a", policy: .tiers(disk: tier)) }
    await other.loader.waitForIdle()
    #expect(other.held.requests.isEmpty)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 64 })
    withExtendedLifetime(first) {}
  }

  @Test func `all keep an image that its source confirms`() async {
    let fixture = LoaderFixture(disk: .temporary()) { $0.retry = .never }
    let futures = (0..<count).map { _ in fixture.future() }
    await fixture.serve("a", SampleImage.jpeg(), headers: ["etag": "\"1\""])
    for future in futures { future.reload() }
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 2)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 64 && !$0.requestsBytes })
    #expect(futures.map { $0.withReader(\.revision) } == Array(repeating: 0, count: count))
  }
}
