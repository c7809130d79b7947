import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

private final class Box<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// A picture with so many readers that the loader visits them in several changes of its state. The app may call the loader between two of
/// these changes. (A reader is the loader's part of a future, and a picture is the object that all readers of one key share.)
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ManyReadersTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let count = 2 * Scheduling.batchSize + 10
  private let key = SourceKey(LoaderFixture.url().absoluteString)

  /// Runs the work between the change that visits the first readers and the change that visits the next readers.
  private func between(_ work: @escaping () -> Void, _ state: inout FutureImage.Loader.State) {
    state.effects.rest { _ in
      work()
      return nil
    }
  }

  /// Replaces the image of the picture with an image of the given size.
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

  @Test func `the loader visits many objects in order, but not all of them in one state change`() {
    // -1 marks the end of the first change, and -2 marks the end of the visit.
    let seen = Box<[Int]>([])
    let total = 2 * Scheduling.batchSize + 3
    fixture.loader.change { state in
      between({ seen.value.append(-1) }, &state)
      fixture.loader.visit(Array(0..<total), &state) { number, _ in
        seen.value.append(number)
      } end: { _ in
        seen.value.append(-2)
      }
    }
    #expect(seen.value == Array(0..<Scheduling.batchSize) + [-1] + Array(Scheduling.batchSize..<total) + [-2])
  }

  // MARK: Between two changes of a replacement

  @Test func `when an image is replaced, all of its readers get the new image`() async {
    let futures = await loaded()
    replace(width: 80, height: 60)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 80 })
    #expect(futures.map { $0.withReader(\.revision) } == Array(repeating: 1, count: count))
    #expect(futures[0].withReader { $0.picture?.deliveries } == 0)
  }

  @Test func `if a waiter is added to the last future in the middle of a replacement, the waiter gets the new image`() async {
    let futures = await loaded()
    let widths = Lock<[Int?]>([])
    replace(width: 80, height: 60) {
      futures[count - 1].wait(.full) { result in widths.withLock { $0.append((try? result.get())?.cgImage?.width) } }
    }
    await fixture.loader.waitForIdle()
    #expect(widths.withLock { $0 } == [80])
  }

  @Test func `the last future gets the new image even if that future is canceled in the middle of a replacement`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) { futures[count - 1].cancel() }
    #expect(futures[count - 1].wholeSize?.width == 80)
    #expect(futures[count - 1].withReader { $0.failure == nil } == true)
  }

  @Test func `a reload of the last future in the middle of a replacement makes another request`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) { futures[count - 1].reload() }
    #expect(futures[count - 1].requestsBytes && futures[count - 1].wholeSize?.width == 80)
    await fixture.serve("a", SampleImage.jpeg(100, 75))
    #expect(fixture.held.requests.count == 2)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 100 && !$0.requestsBytes })
  }

  @Test func `if the last future is released in the middle of a replacement, its reader leaves the picture`() async {
    var futures = await loaded()
    let last = Box<FutureImage?>(futures.removeLast())
    replace(width: 80, height: 60) { last.value = nil }
    #expect(futures.allSatisfy { $0.wholeSize?.width == 80 })
    #expect(futures[0].withReader { $0.picture?.readers.count } == count - 1)
    futures = []
    #expect(fixture.loader.heldByteCount == 0)
  }

  @Test func `a second replacement in the middle of the first replacement is delivered to all readers`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) { replace(width: 100, height: 75) }
    #expect(futures.allSatisfy { $0.wholeSize?.width == 100 })
    #expect(futures[0].withReader { $0.picture?.deliveries } == 0)
  }

  @Test func `if a new image is removed from its picture while readers get it, no reader has the new image`() async {
    let futures = await loaded()
    replace(width: 80, height: 60) {
      fixture.loader.change { state in
        if let picture = state.pictures[key] { fixture.loader.removeImage(of: picture, &state) { _, _, _ in } }
      }
    }
    #expect(futures.allSatisfy { $0.wholeSize == nil })
  }

  @Test func `if a new image arrives while readers lose the old image, all readers get the new image`() async {
    let futures = await loaded()
    let encoded = Encoded(data: SampleImage.jpeg(80, 60), size: FutureImage.PixelSize(width: 80, height: 60), isFromDisk: false)
    let notFound = fixture.loader.remembered(FutureImage.Failure(.status(404)))
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
      fixture.loader.removeImage(of: picture, &state) { [fixture] reader, _, state in
        fixture.loader.setFailure(notFound, of: reader, &state)
      }
    }
    #expect(futures.allSatisfy { $0.wholeSize?.width == 80 && $0.failure == nil })
  }

  // MARK: Other changes

  @Test func `a future that is canceled in the middle of the first delivery does not get the image`() {
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

  @Test func `each waiter gets the failure of a shared fetch once`() async {
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

  @Test func `bytes that are released in the middle of a delivery are not delivered to the remaining readers`() {
    let futures = (0..<count).map { _ in fixture.future("a", policy: .modelOnly) }
    fixture.loader.change { state in
      guard let picture = state.pictures[key] else { return }
      between({ fixture.loader.change { $0.bytes.release(picture, &$0.departed) } }, &state)
      if let fetch = picture.fetch { fixture.loader.cancel(fetch, &state) }
      let encoded = Encoded(data: SampleImage.jpeg(), size: FutureImage.PixelSize(width: 64, height: 48), isFromDisk: false)
      let bytes = fixture.loader.settle(encoded, FutureImage.CacheEntry(body: encoded.data), in: picture, nil, &state)
      fixture.loader.deliver((bytes, nil), in: picture, at: .now, &state, to: \.awaitsNothing)
    }
    #expect(futures.prefix(Scheduling.batchSize).allSatisfy { $0.wholeSize?.width == 64 })
    #expect(futures.dropFirst(Scheduling.batchSize).allSatisfy { $0.wholeSize == nil && $0.withReader(\.isInFetch) == true })
  }

  @Test func `a reload in the middle of a replacement makes a request, even if the new bytes have been released`() async {
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

  @Test func `a stale image is revalidated when one of many futures requests it`() async throws {
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

  @Test func `all futures lose an image that its source has deleted`() async {
    let futures = await loaded()
    futures[0].reload()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 410))
    await fixture.loader.waitForIdle()
    #expect(futures.allSatisfy { $0.wholeSize == nil })
    #expect(futures.allSatisfy { future in future.withReader { $0.failure?.failure.reason == .status(410) } == true })
  }

  @Test func `all futures whose disk tier has no entry share one request`() async {
    let tier = HeldTier()
    tier.holdReads()
    let futures = (0..<count).map { _ in fixture.future("a", policy: .tiers(disk: tier)) }
    tier.release()
    await fixture.serve("a", SampleImage.jpeg())
    #expect(fixture.held.requests.count == 1)
    #expect(futures.allSatisfy { $0.wholeSize?.width == 64 })
  }

  @Test func `all futures get the image that their disk tier has`() async {
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

  @Test func `all futures of an image still have the image after its source has confirmed it`() async {
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
