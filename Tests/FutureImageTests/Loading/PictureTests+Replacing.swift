import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The bytes of a picture, the replacement of its image, and failures that arrive late. Each replacement increments the generation of the
/// picture, and the revision of each of its readers.
extension PictureTests {
  /// Replaces the image of the future's picture.
  private func replaceImage(of future: FutureImage) {
    fixture.loader.change { state in
      guard let picture = state.pictures[SourceKey(future.key)] else { return }
      fixture.loader.replaceImage(of: picture, &state)
      for reader in picture.readers { state.leaveOldImage(reader) }
    }
  }

  /// Records that the views of the future were measured and need no pixels.
  private func endMeasuring(_ future: FutureImage) {
    fixture.loader.change { state in
      guard let reader = future.reader, let picture = reader.picture else { return }
      fixture.loader.endMeasuring(reader)
      fixture.loader.releaseUnneededBytes(picture, &state)
    }
  }

  // MARK: Bytes

  @Test func `bytes are retained until the views of each future are measured`() {
    let futures = [0, 1].map { _ in fixture.idle("a", .tiers(disk: tier)) }
    for future in futures {
      future.withReader { $0.isBound = true }
      for _ in 0..<2 { future.receive(encoded()) }
    }
    // Each future counts once, however often it gets the bytes or is measured.
    #expect(futures[0].withReader { $0.picture?.unmeasured == 2 } == true)
    for _ in 0..<2 { endMeasuring(futures[0]) }
    #expect(futures[1].retainedBytes != nil)
    endMeasuring(futures[1])
    #expect(futures[1].retainedBytes == nil && fixture.loader.heldByteCount == 0)
  }

  @Test func `bytes that are retained for the unmeasured views of a future are released with that future`() {
    let future = fixture.idle("a", .tiers(disk: tier))
    var bound: FutureImage? = fixture.idle("a", .tiers(disk: tier))
    bound?.withReader { $0.isBound = true }
    bound?.receive(encoded())
    #expect(future.retainedBytes != nil)
    bound = nil
    #expect(future.retainedBytes == nil)
  }

  @Test func `bytes are retained for a future without a disk tier until that future is released`() {
    let future = fixture.idle("a", .tiers(disk: tier))
    var other: FutureImage? = fixture.idle("a", .modelOnly)
    future.receive(encoded())
    #expect(other?.retainedBytes != nil)
    other = nil
    #expect(future.retainedBytes == nil)
  }

  @Test func `the bytes of an image are released with its last future`() {
    var futures: [FutureImage?] = [fetched(), fetched()]
    futures[0] = nil
    #expect(fixture.loader.heldByteCount == encoded().data.count)
    futures[1] = nil
    #expect(fixture.loader.heldByteCount == 0)
  }

  @Test func `bytes that wait to be stored are retained until their tier has stored them`() async {
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await tier.waitForStores()
    #expect(future.retainedBytes != nil)
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(future.retainedBytes == nil && tier.body == SampleImage.jpeg())
  }

  @Test func `bytes that wait to be stored outlive their future, and their picture is removed after the store`() async {
    tier.holdStores()
    var future: FutureImage? = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await tier.waitForStores()
    await alone(&future)
    future = nil
    #expect(fixture.loader.heldByteCount > 0 && pictureCount == 1)
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.heldByteCount == 0 && pictureCount == 0)
  }

  @Test func `bytes that a tier could not store are retained, unless another image has replaced them`() async {
    let (old, new) = (TestColor.red.jpeg(), TestColor.blue.jpeg())
    tier.holdStores()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: old)
    await tier.waitForStores()
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: new)
    await waitWhile(future.generation == 0)
    tier.fill()
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(future.retainedBytes?.isStored == false && future.retainedBytes?.data == new)
    #expect(fixture.loader.heldByteCount == new.count)
  }

  @Test func `a 304 ends the reload of one future and the revalidation of another future, after which no bytes are retained`() async {
    let (future, other) = (fixture.future(policy: .tiers(disk: tier)), fixture.idle("a", .tiers(disk: tier)))
    await fixture.serve("a", SampleImage.jpeg(), headers: ["etag": "\"1\""])
    future.reload()
    other.joinInBackground()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    #expect(future.stageName == "fetched" && future.generation == 0)
    #expect(other.withReader(\.revalidates) == false)
    #expect(fixture.loader.transferCount == 0 && fixture.loader.heldByteCount == 0)
  }

  @Test func `if no tier has the bytes of an image that the app has set, these bytes are retained even beyond the byte limit`() async throws
  {
    let fixture = LoaderFixture { $0.maxBytes = 20_000 }
    let future = fixture.future("set", policy: .modelOnly)
    await fixture.serve("set", SampleImage.jpeg(8, 6))
    try await fixture.loader.set(SampleImage.image(8, 6, red: 0, green: 0, blue: 250), forKey: future.key)
    var others: [FutureImage] = []
    for number in 0..<20 {
      others.append(fixture.future("\(number)", policy: .modelOnly))
      await fixture.serve("\(number)", SampleImage.noise(80, 60))
    }
    #expect(future.retainedBytes != nil)
    // The loader retains at most twice as many bytes as `maxBytes`. The bytes of the image that the app has set do not count.
    #expect(fixture.loader.heldByteCount <= 40_000)
  }

  // MARK: Replacing

  @Test func `only waiting futures get the first bytes of an image, but all futures get a replacement image`() async {
    let (first, idle) = (fixture.future(), fixture.idle())
    await fixture.serve("a", SampleImage.jpeg())
    #expect(idle.wholeSize == nil)
    first.reload()
    await fixture.serve("a", SampleImage.jpeg(80, 60))
    #expect([first, idle].map { $0.wholeSize?.width } == [80, 80])
    #expect([first, idle].map { $0.withReader(\.revision) } == [1, 1])
  }

  @Test func `a replacement ends all jobs for the old image`() {
    tier.holdReads()
    decoder.close()
    let futures = [fetched(), fixture.future(policy: .tiers(disk: tier)), fixture.idle()]
    futures[0].loadMissing([.full], retrying: .no)
    futures[2].reload()
    #expect(Job.allCases.map { readerCounts($0) } == [[1], [1], [1]])
    replaceImage(of: futures[0])
    #expect(Job.allCases.map { readerCounts($0) } == [[], [], []])
    #expect(fixture.loader.isIdle && fixture.loader.heldByteCount == 0)
    #expect(futures.map(\.generation) == [1, 1, 1])
    tier.release()
    decoder.open()
  }

  // The test runs on the main actor, so that no change becomes visible before the test ends.
  @MainActor @Test func `after its image is replaced, a future has no old pixels, no decodes, and no revalidation`() {
    let (future, image) = (fetched(), SampleImage.image())
    decoder.close()
    future.loadMissing([DecodeStep(fraction: 0.125)], retrying: .no)
    future.joinInBackground()
    future.withReader { $0.watched = .images }
    future.adopt(image)
    #expect(fixture.loader.arrivedByteCount == image.byteCount)
    replaceImage(of: future)
    #expect(future.withReader { $0.largestDecode == nil && $0.arrived.isEmpty && $0.decodes.isEmpty && !$0.revalidates } == true)
    #expect(fixture.loader.arrivedByteCount == 0)
    decoder.open()
    withExtendedLifetime(image) {}
  }

  @Test func `a failed decode of the old image during a reload does not count as a failure of the new image`() {
    let future = fetched()
    future.reload()
    future.withReader { $0.pixelsHaveFailed = true }
    replaceImage(of: future)
    #expect(future.withReader { $0.demand == .reload && !$0.pixelsHaveFailed } == true)
  }

  @Test func `pixels of a replaced image are delivered neither to its futures nor to the pool`() async {
    let future = fetched()
    decoder.close()
    future.loadMissing([.full], retrying: .no)
    await decoder.waitForHeld()
    replaceImage(of: future)
    decoder.open()
    await waitWhile(fixture.loader.statistics.decodes == 0)
    #expect(future.best == nil && fixture.loader.pixelBytes == 0)
  }

  @Test func `decode steps that were requested for a replaced image are not decoded for the new image`() async {
    let future = fixture.idle("a", .tiers(disk: tier))
    future.receive(encoded())
    future.withReader { $0.isBound = true }
    future.reload()
    future.loadMissing([DecodeStep(fraction: 0.125)], retrying: .no)
    await fixture.serve("a", SampleImage.jpeg(640, 480))
    #expect(future.wholeSize?.width == 640)
    #expect(fixture.loader.statistics.decodes == 0)
  }

  @Test func `after a reload replaces an image that the app has set, the new image does not count as set by the app`() async throws {
    let future = fixture.future(policy: .modelOnly)
    await fixture.serve("a", SampleImage.jpeg())
    try await fixture.loader.set(SampleImage.image(), forKey: future.key)
    #expect(future.withReader { $0.picture?.notes.isOfApp == true } == true)
    future.reload()
    await fixture.serve("a", SampleImage.jpeg(80, 60))
    #expect(future.withReader { $0.picture?.notes.isOfApp == false } == true)
    #expect(future.generation == 2)
  }

  @MainActor @Test func `an image that a picture has lost remains visible until a commit on the main actor`() {
    let (future, image) = (fetched(), SampleImage.image())
    future.withReader { $0.watched = .images }
    future.adopt(image)
    future.reader?.commit(future)
    fixture.loader.change { state in
      guard let picture = future.reader?.picture else { return }
      fixture.loader.removeImage(of: picture, &state) { reader, _, state in fixture.loader.commit(reader, &state) }
    }
    #expect(future.wholeSize == nil && future.visible === image)
    future.reader?.commit(future)
    #expect(future.visible == nil)
    withExtendedLifetime(image) {}
  }

  @Test(arguments: [false, true])
  func `when a failed future gets an image, the old image leaves the memory tier only if the image is newer`(isNewer: Bool) async {
    let memory = HeldMemory()
    let failed = fixture.future(policy: .tiers(memory: memory))
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(503))
    await fixture.loader.waitForIdle()
    memory.store(SampleImage.image(), forKey: "")
    let other = fixture.future(policy: .modelOnly)
    // If the fetch is a reload, its image replaces the image that the memory tier has, which increases the generation.
    if isNewer { other.reload() }
    await fixture.serve("a", SampleImage.jpeg())
    #expect(failed.wholeSize?.width == 64 && failed.generation == (isNewer ? 1 : 0))
    #expect((memory.image(forKey: "") == nil) == isNewer)
  }

  @Test func `a store that ends after its picture was removed does not remove the next picture of the key`() {
    var former: FutureImage? = fixture.idle()
    let picture = former?.withReader(\.picture) ?? nil
    former = nil
    let future = fixture.idle()
    if let picture { fixture.loader.store(SampleImage.image(), at: 0, of: picture, in: HeldMemory()) }
    #expect(pictureCount == 1)
    withExtendedLifetime(future) {}
  }

  // MARK: Late failures

  /// A clock that calls a closure the first time that the clock is read.
  private struct ObservedClock: Clock {
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

  @Test func `a new future gets bytes that have just arrived instead of the failure that is still remembered`() async {
    let clock = ObservedClock()
    let fixture = LoaderFixture {
      $0.retry = .never
      $0.clock = clock
    }
    let other = fixture.future(policy: .modelOnly)
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(404))
    await fixture.loader.waitForIdle()
    let bytes = encoded()
    // After the loader has found no bytes, it reads the clock to get the age of the failure. The bytes arrive at this moment.
    clock.whenRead.withLock { $0 = { other.receive(bytes) } }
    let late = fixture.future(policy: .modelOnly)
    await fixture.loader.waitForIdle()
    #expect(other.failure == nil && other.retainedBytes != nil)
    #expect(late.failure == nil && late.wholeSize != nil)
  }

  @Test func `a future whose request fails gets the bytes that another future has read from disk in the meantime`() async {
    let fixture = LoaderFixture { $0.retry = FutureImage.RetryPolicy(attempts: 1, failureMemory: .zero) }
    let (other, late) = (fixture.future(policy: .modelOnly), fixture.future(policy: .modelOnly))
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(404))
    await fixture.loader.waitForIdle()
    late.wait(.full) { _ in }
    await fixture.held.waitForHeld()
    let found = fixture.future(policy: .tiers(disk: HeldTier(SampleImage.jpeg())))
    await waitWhile(found.requestsBytes)
    #expect(other.failure == nil && other.retainedBytes != nil)
    fixture.held.fail(nil, .status(404))
    await fixture.loader.waitForIdle()
    #expect(late.failure == nil && late.wholeSize != nil)
  }

  @Test func `when a request fails, its futures get the bytes that their picture retains`() async {
    let first = fixture.future(policy: .modelOnly)
    await fixture.serve("a", SampleImage.jpeg())
    let stored = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    let (second, isNotified) = (fixture.future(policy: .modelOnly), Lock(false))
    second.wait(.full) { result in if case .success = result { isNotified.withLock { $0 = true } } }
    fixture.held.fail(nil, .status(404))
    await fixture.loader.waitForIdle()
    #expect(isNotified.withLock { $0 })
    #expect(stored.failure == nil && stored.wholeSize != nil)
    withExtendedLifetime(first) {}
  }

  @Test func `a future that must revalidate its image before use gets no retained bytes if the revalidation fails`() async {
    let first = fixture.future(policy: .modelOnly)
    await fixture.serve("a", SampleImage.jpeg(), headers: ["cache-control": "no-cache", "etag": "\"1\""])
    let second = fixture.future(policy: .modelOnly)
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(503))
    await fixture.loader.waitForIdle()
    #expect(first.stageName == "fetched" && first.retainedBytes != nil)
    #expect(second.failure?.reason == .status(503) && second.wholeSize == nil)
  }

  @Test func `a waiter gets the existing image when a reload fails`() async throws {
    let future = fixture.future(policy: .tiers(disk: HeldTier(TestColor.red.jpeg())))
    await fixture.loader.waitForIdle()
    future.reload()
    await fixture.held.waitForHeld()
    let waiting = Task { try await future.value }
    await waitWhile(future.waiterCount == 0)
    fixture.held.fail()
    #expect(TestColor.red.isNearly(try await waiting.value.color))
    #expect(future.failure == nil)
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Smaller images

  /// Returns a future that loads only its smaller image on the current network.
  private func futureWithSmaller(_ fixture: LoaderFixture) -> FutureImage {
    fixture.loader.network = [.constrained]
    let source = FutureImage.Source.url(LoaderFixture.url("full")).onAvoidedNetworks(use: .url(LoaderFixture.url("small")))
    return FutureImage(source, cachePolicy: .modelOnly, loader: fixture.loader)
  }

  @Test func `a reload that loads the smaller image ends when the app sets the image`() async throws {
    let fixture = LoaderFixture { $0.avoidedNetworks = [.constrained] }
    let future = futureWithSmaller(fixture)
    await fixture.held.waitForRequests()
    let reloading = Task { await [future].reload() }
    await fixture.held.waitForRequests(2)
    try await fixture.loader.set(SampleImage.image(), forKey: future.key)
    await fixture.loader.waitForIdle()
    #expect(!future.hasReloadWaiters)
    reloading.cancel()
    _ = await reloading.value
  }

  @MainActor @Test func `a failed reload leaves the smaller image in the view`() async {
    let fixture = LoaderFixture {
      $0.avoidedNetworks = [.constrained]
      $0.retry = .never
    }
    let (view, future) = (imageView(64), futureWithSmaller(fixture))
    view.futureImage = future
    await fixture.serve("small", SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    let shown = view.image
    fixture.loader.network = []
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .status(503))
    await fixture.loader.waitForIdle()
    #expect(shown?.cgImage?.width == 64 && view.image === shown && future.failure == nil)
  }
}
