import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The requests of a reader, and the images that the reader gets from its picture and shows. A reader is the loader's part of a future, and
/// a picture is the object that all readers of one key share.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReaderTests {
  private let decoder = GatedDecoder()
  private let fixture: LoaderFixture
  private let whole = FutureImage.PixelSize(width: 64, height: 48)
  private let small = DecodeStep(fraction: 0.125)

  init() {
    let decoder = decoder
    fixture = LoaderFixture {
      $0.decoder = decoder
      $0.maxDecodes = 4
      $0.retry = .never
    }
  }

  private func encoded(isStored: Bool = true) -> Encoded {
    Encoded(data: SampleImage.jpeg(), size: whole, isFromDisk: false, isStored: isStored)
  }

  /// Returns a future that has its bytes, and has no disk tier.
  private func fetched() -> FutureImage {
    let future = fixture.idle("a", .modelOnly)
    future.receive(encoded())
    return future
  }

  private func failureEntry(_ reason: FutureImage.Failure.Reason) -> FailureMemory.Entry {
    FailureMemory.Entry(passing: FutureImage.Failure(reason))
  }

  private func waiter(
    _ future: FutureImage, _ fitting: FutureImage.Fitting = .full, isPrefetch: Bool = false, deliver: @escaping @Sendable () -> Void = {}
  ) -> FutureImage.Waiter {
    FutureImage.Waiter(
      need: .pixels(fitting, deliver: { _ in deliver() }), owner: future, descriptor: future.descriptor, id: nil, isPrefetch: isPrefetch)
  }

  // MARK: Requests

  @Test func `a future that is started twice is registered once and makes one request`() throws {
    let future = fixture.deferred()
    let reader = try #require(future.reader)
    for _ in 0..<2 { fixture.loader.begin(reader) }
    #expect(fixture.loader.futureCount == 1 && fixture.loader.transferCount == 1)
    #expect(future.requestNumber == 1)
  }

  @Test func `a request is as urgent as the most urgent reason for it`() {
    let future = fixture.idle()
    #expect(future.urgency == .created)
    future.withReader { $0.prefetches = 1 }
    #expect(future.urgency == .prefetched)
    future.withReader { $0.waiters = [waiter(future, isPrefetch: true)] }
    #expect(future.urgency == .prefetched)
    future.withReader { $0.waiters.append(waiter(future)) }
    #expect(future.urgency == .bound)
    // The waiters are removed, because they retain their future.
    future.withReader { $0.waiters = [] }
    #expect(future.urgency == .prefetched)
    future.withReader { $0.isBound = true }
    #expect(future.urgency == .bound)
  }

  @Test func `pixels that have already been requested do not count as missing`() {
    let future = fetched()
    decoder.close()
    future.loadMissing([small], retrying: .no)
    let missing = future.withReader { $0.missingPixels([small, .full]) } ?? []
    #expect(missing.map(\.step) == [DecodeStep.full])
    decoder.open()
  }

  @Test func `pixels in the pool are used without a request for bytes`() throws {
    let (future, image) = (fixture.idle(), SampleImage.decoded(0.5))
    future.withReader { $0.fullSize = image.naturalSize }
    let variant = try #require(future.withReader { $0.variant() })
    fixture.loader.pool.insert(image, variant)
    future.loadMissing([image.step], retrying: .no)
    #expect(future.best === image)
    #expect(!future.requestsBytes)
  }

  @Test func `a future without missing pixels requests nothing`() {
    let future = fixture.idle()
    future.withReader { $0.fullSize = whole }
    future.loadMissing(retrying: .always)
    #expect(!future.requestsBytes && !future.requestsPixels)
  }

  @Test func `until the requested bytes arrive, the decode steps that views need are recorded`() {
    let future = fixture.idle()
    future.withReader { $0.fullSize = whole }
    future.requestBytesAgain()
    future.loadMissing([.full], retrying: .no)
    future.loadMissing([small], retrying: .no)
    #expect(future.withReader(\.needs) == Set([small, DecodeStep.full]))
    #expect(future.requestNumber == 1)
  }

  @Test(arguments: [true, false])
  func `requested bytes are decoded at the steps that views need, unless the views are gone`(isBound: Bool) async {
    let future = fixture.idle()
    future.withReader { reader in
      reader.fullSize = whole
      reader.isBound = isBound
    }
    future.requestBytesAgain()
    future.loadMissing([small, .full], retrying: .no)
    await fixture.serve("a", SampleImage.jpeg())
    #expect(fixture.loader.statistics.decodes == (isBound ? 2 : 0))
    #expect(future.withReader(\.needs)?.isEmpty == true)
  }

  @Test func `a failed future does not request its bytes again without a retry`() {
    let future = fixture.idle()
    future.withReader { $0.failure = failureEntry(.status(503)) }
    future.loadMissing(retrying: .no)
    #expect(!future.requestsBytes)
    #expect(future.stageName == "failed")
  }

  @Test func `a retry ends a failure at once, before the lookup of the bytes ends`() {
    let tier = HeldTier()
    tier.holdReads()
    let future = fixture.idle("a", .tiers(disk: tier))
    future.withReader { $0.failure = failureEntry(.status(503)) }
    future.loadMissing(retrying: .always)
    #expect(future.phase.name == "waiting")
    tier.release()
  }

  @Test func `a retry ends a failure at once, before the decode of the pixels ends`() {
    let future = fetched()
    decoder.close()
    future.withReader { $0.failure = failureEntry(.outOfMemory) }
    future.loadMissing([.full], retrying: .always)
    #expect(future.requestsPixels)
    #expect(future.stageName == "fetched")
    decoder.open()
  }

  // MARK: Progress

  @Test func `a future shows the progress of a transfer only while the future waits for that transfer`() async {
    let (future, joined, idle) = (fixture.future(), fixture.future(), fixture.idle())
    await fixture.held.waitForHeld()
    #expect([future, joined, idle].map(\.stageName) == ["loading", "loading", "waiting"])
    future.cancel()
    #expect([future, joined, idle].map(\.stageName) == ["failed", "loading", "waiting"])
  }

  @Test func `a revalidation in the background shows no progress`() async {
    let future = fetched()
    future.joinInBackground()
    await fixture.held.waitForHeld()
    #expect(future.stageName == "fetched")
  }

  @Test func `after a failed reload, the future is in the phase fetched and retains its bytes`() async {
    let future = fetched()
    future.reload()
    await fixture.held.waitForHeld()
    #expect(future.stageName == "loading")
    fixture.held.fail(nil, .status(503))
    await fixture.loader.waitForIdle()
    #expect(future.stageName == "fetched" && future.wholeSize == whole)
    #expect(future.retainedBytes != nil)
  }

  @Test func `when the pixels that a future got from the pool are released, the future is in the phase fetched`() async throws {
    let first = fixture.future()
    await fixture.serve()
    _ = try await first.value
    let second = fixture.future()
    await fixture.forgetPixels(of: second)
    #expect(second.phase.name == "fetched")
  }

  @Test func `a future that is created after a reload has the new image at once`() async throws {
    let first = fixture.future()
    await fixture.serve()
    first.reload()
    await fixture.serve("a", SampleImage.jpeg(800, 600))
    let image = try await first.value
    let second = fixture.future()
    #expect(second.phase.name == "ready")
    #expect(try await second.value === image)
  }

  // MARK: Bytes

  @Test(arguments: [(true, true, true, true), (false, true, true, false), (false, true, false, true), (false, false, true, true)])
  func `bytes are retained if a view is bound, or if no disk tier has stored the bytes`(
    isBound: Bool, isStored: Bool, hasDisk: Bool, isRetained: Bool
  ) {
    let future = fixture.idle("a", hasDisk ? .tiers(disk: HeldTier()) : .modelOnly)
    future.withReader { $0.isBound = isBound }
    future.receive(encoded(isStored: isStored))
    #expect((future.retainedBytes != nil) == isRetained)
    #expect(fixture.loader.heldByteCount == (isRetained ? SampleImage.jpeg().count : 0))
  }

  @Test func `after bytes are delivered, a reader has no failures, and its image no longer counts as deleted`() {
    let future = fixture.idle()
    future.withReader { reader in
      (reader.failure, reader.isDeleted, reader.pixelsHaveFailed) = (failureEntry(.status(404)), true, true)
    }
    future.receive(encoded())
    #expect(future.withReader { $0.failure == nil && !$0.isDeleted && !$0.pixelsHaveFailed } == true)
    #expect(future.wholeSize == whole)
  }

  static let failures: [(FutureImage.Failure.Reason, Bool)] = [
    (.status(503), true), (.outOfMemory, true), (.undecodable(""), true), (.cancelled, false), (.transformFailed(""), false)
  ]

  @Test(arguments: failures)
  func `bytes of another future end a failure, except a cancellation or a failure of the transform`(
    reason: FutureImage.Failure.Reason, hasEnded: Bool
  ) async {
    let (failed, other) = (fixture.idle(), fixture.future())
    failed.withReader { $0.failure = failureEntry(reason) }
    await fixture.serve("a", SampleImage.jpeg())
    #expect((failed.failure == nil) == hasEnded)
    #expect((failed.wholeSize != nil) == hasEnded)
    withExtendedLifetime(other) {}
  }

  private struct FailingDecoder: FutureImage.ImageDecoder {
    let reason: FutureImage.Failure.Reason

    func size(of data: Data) throws -> FutureImage.PixelSize { FutureImage.PixelSize(width: 64, height: 48) }
    func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { throw FutureImage.Failure(reason) }
  }

  static let failedDecodes: [(FutureImage.Failure.Reason, Bool, Bool, Bool)] = [
    (.undecodable(""), false, false, false), (.undecodable(""), false, true, false), (.transformFailed(""), true, true, false),
    (.transformFailed(""), false, true, true), (.transformFailed(""), true, false, true), (.outOfMemory, false, true, true)
  ]

  @Test(arguments: failedDecodes)
  func `after a failed decode, bytes that did not cause the failure are retained if no disk tier has the bytes`(
    reason: FutureImage.Failure.Reason, isStored: Bool, hasDisk: Bool, isRetained: Bool
  ) async {
    let fixture = LoaderFixture { $0.decoder = FailingDecoder(reason: reason) }
    let future = fixture.idle("a", hasDisk ? .tiers(disk: HeldTier()) : .modelOnly)
    future.wait(.full) { _ in }
    future.receive(encoded(isStored: isStored))
    await fixture.loader.waitForIdle()
    #expect((future.retainedBytes != nil) == isRetained)
    #expect(future.failure?.reason == reason)
  }

  @Test func `if corrupt bytes from a tier fail to decode during a reload, the waiters get the reloaded image`() async {
    let noise = SampleImage.noise(64, 48)
    decoder.close()
    let (future, successes) = (fixture.future(policy: .tiers(disk: HeldTier(noise.prefix(noise.count / 2)))), Lock(0))
    for fitting in [FutureImage.Fitting.full, .square(16)] {
      future.wait(fitting) { if case .success = $0 { successes.withLock { $0 += 1 } } }
    }
    await decoder.waitForHeld(2)
    future.reload()
    await fixture.held.waitForHeld()
    decoder.open()
    await waitWhile(fixture.loader.decodeCount > 0)
    #expect(future.withReader { $0.demand == .reload && $0.picture?.encoded == nil } == true)
    await fixture.serve("a", SampleImage.jpeg())
    #expect(successes.withLock { $0 } == 2)
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Pixels

  @Test func `if two decoded images have the same size, the first still counts as the largest image, but the second is visible`() {
    let (future, images) = (fixture.idle(), [SampleImage.decoded(0.125), SampleImage.decoded(0.125)])
    for image in images { future.adopt(image) }
    #expect(future.best === images[0])
    #expect(future.visible === images[1])
  }

  // In revision 0, the reader has its first image. In revision 1, another image has replaced that image.
  @Test(arguments: [0, 1] as [UInt32]) func `a smaller decode of an image never replaces a larger decode`(revision: UInt32) {
    let (future, images) = (fixture.idle(), [SampleImage.image(1200, 900), SampleImage.decoded(0.125)])
    future.withReader { $0.revision = revision }
    for image in images { future.adopt(image) }
    #expect(future.best === images[0])
    #expect(future.visible === images[0])
  }

  @Test func `each waiter is notified once, with the first image that is large enough`() {
    let (future, names) = (fixture.idle(), Lock<[String]>([]))
    func named(_ name: String, _ fitting: FutureImage.Fitting) -> FutureImage.Waiter {
      waiter(future, fitting) { names.withLock { $0.append(name) } }
    }
    future.withReader { reader in
      reader.fullSize = FutureImage.PixelSize(width: 1200, height: 900)
      reader.waiters = [named("small", .square(150)), named("half", .square(600)), named("whole", .full)]
    }
    var notified: [[String]] = []
    for fraction in [0.125, 0.25, 1, 1] {
      let before = names.withLock { $0.count }
      future.adopt(SampleImage.decoded(fraction))
      notified.append(names.withLock { Array($0.dropFirst(before)) })
    }
    #expect(notified == [["small"], [], ["half", "whole"], []])
  }

  // MARK: Visible changes

  @MainActor @Test func `a change of a future needs a turn of the main actor only if a view or an observer watches for changes`() throws {
    let (future, loader) = (fixture.idle(), fixture.loader)
    let reader = try #require(future.reader)
    loader.change { loader.commit(reader, &$0) }
    #expect(future.withReader { $0.pendingCommit == .none } == true)
    future.withReader { $0.watched = .images }
    loader.change { loader.commitStage(of: reader, &$0) }
    #expect(future.withReader { $0.pendingCommit == .none } == true)
    loader.change { loader.commit(reader, &$0) }
    #expect(future.withReader { $0.pendingCommit == .due } == true)
  }

  @MainActor @Test func `observers see a change only after a turn of the main actor`() {
    let future = fixture.idle()
    future.withReader { $0.watch(.phase) }
    future.requestBytesAgain()
    future.cancel()
    #expect(future.withReader(\.phase)?.name == "waiting")
    future.reader?.commit(future)
    #expect(future.withReader(\.phase)?.name == "failed")
  }

  @MainActor @Test func `the bytes of a decoded image count toward the limit for arrived images until the main actor shows the image`() {
    let (future, image) = (fixture.idle(), SampleImage.image())
    future.withReader { $0.watched = .images }
    future.adopt(image)
    #expect(fixture.loader.arrivedByteCount == image.byteCount)
    future.reader?.commit(future)
    #expect(fixture.loader.arrivedByteCount == 0)
  }

  @MainActor @Test(arguments: [true, false])
  func `if an image exceeds the limit for arrived images, the commit shows it only if it still exists`(stillExists: Bool) {
    let fixture = LoaderFixture(maxPixelBytes: 1)
    let future = fixture.idle()
    var image: UIImage? = SampleImage.image()
    fixture.loader.state.withLock { $0.work.arrivedBytes = 1 }
    future.withReader { $0.watched = .images }
    if let image { future.adopt(image) }
    #expect(future.withReader { $0.arrived.isEmpty && $0.visible == nil } == true)
    if !stillExists { image = nil }
    future.reader?.commit(future)
    #expect(future.visible === image)
  }

  // MARK: Cancellation

  @Test func `canceling a future removes all of its requests from its picture`() async {
    let future = fetched()
    decoder.close()
    future.loadMissing([small], retrying: .no)
    future.joinInBackground()
    future.reload()
    await fixture.held.waitForHeld()
    future.cancel()
    #expect(future.withReader { $0.lookup == nil && !$0.isInFetch && !$0.revalidates && $0.decodes.isEmpty } == true)
    #expect(fixture.loader.isIdle)
    decoder.open()
  }

  @Test func `canceling a future that waits only for pixels cancels the decode`() {
    let future = fetched()
    decoder.close()
    future.loadMissing([.full], retrying: .no)
    future.cancel()
    #expect(fixture.loader.decodeCount == 0 && !future.requestsPixels)
    #expect(future.failure?.reason == .cancelled)
    decoder.open()
  }

  @Test func `canceling a future notifies waiters whose image is not requested yet`() {
    let (future, isNotified) = (fixture.idle(), Lock(false))
    future.withReader { $0.waiters = [waiter(future) { isNotified.withLock { $0 = true } }] }
    future.cancel()
    #expect(isNotified.withLock { $0 })
  }

  @Test func `canceling a future without requests changes nothing`() {
    let future = fetched()
    future.cancel()
    #expect(future.stageName == "fetched" && future.retainedBytes != nil)
  }
}
