import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The picture, which is the object that the futures of one key share: the readers (the loader's parts of the futures) that join and leave
/// it, its bytes, and the replacement of its image.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PictureTests {
  enum Job: CaseIterable { case lookup, transfer, decode }

  let decoder = GatedDecoder()
  let fixture: LoaderFixture
  let tier = HeldTier()
  let key = SourceKey(LoaderFixture.url().absoluteString)

  init() {
    let decoder = decoder
    fixture = LoaderFixture {
      $0.decoder = decoder
      $0.retry = .never
    }
  }

  func encoded() -> Encoded {
    Encoded(data: SampleImage.jpeg(), size: FutureImage.PixelSize(width: 64, height: 48), isFromDisk: false)
  }

  /// Returns a future that has its bytes, and has no disk tier.
  func fetched() -> FutureImage {
    let future = fixture.idle("a", .modelOnly)
    future.receive(encoded())
    return future
  }

  /// Returns the number of waiting futures for each of the picture's jobs of the given kind.
  func readerCounts(_ job: Job) -> [Int] {
    fixture.loader.state.withLock { state in
      guard let picture = state.pictures[key] else { return [] }
      return switch job {
      case .lookup: picture.lookups.map { Int($0.readerCount) }
      case .transfer: picture.fetch.map { [Int($0.readerCount)] } ?? []
      case .decode: picture.decodes.map { Int($0.readerCount) }
      }
    }
  }

  var pictureCount: Int { fixture.loader.state.withLock { $0.pictures.count } }

  // MARK: Joining and leaving

  @Test func `futures of one key share a picture, and a future of another key has its own picture`() {
    let futures = [fixture.idle(), fixture.deferred(), fixture.future(), fixture.future("b")]
    futures[1].start()
    let pictures = futures.map { future in future.withReader { $0.picture.map { ObjectIdentifier($0) } } ?? nil }
    #expect(Set(pictures.prefix(3)).count == 1)
    #expect(Set(pictures).count == 2 && !pictures.contains(nil))
  }

  @Test(arguments: 0..<5) func `each reader of a picture is found once after other readers have left`(leaving: Int) {
    var futures: [FutureImage?] = (0..<5).map { _ in fixture.idle() }
    for next in [leaving, (leaving + 2) % 5] {
      futures[next] = nil
      let found = fixture.loader.state.withLock { $0.pictures[key]?.readers.map { ObjectIdentifier($0) } ?? [] }
      let living = futures.compactMap { $0?.reader.map { ObjectIdentifier($0) } }
      #expect(found.count == living.count && Set(found) == Set(living))
    }
    #expect(fixture.loader.futureCount == 3)
  }

  @Test func `a picture is removed with its last future`() {
    var futures: [FutureImage?] = [fixture.idle(), fixture.idle()]
    futures[0] = nil
    #expect(pictureCount == 1)
    futures[1] = nil
    #expect(pictureCount == 0)
  }

  @Test func `a picture lists each disk tier of its futures once, until these futures are released`() {
    let tiers = [tier, HeldTier()]
    var futures: [FutureImage?] = [0, 1, 0].map { fixture.idle("a", .tiers(disk: tiers[$0])) }
    func known() -> [ObjectIdentifier] { fixture.loader.state.withLock { $0.pictures[key]?.tiers().map { ObjectIdentifier($0) } ?? [] } }
    #expect(known().count == 2 && Set(known()) == Set(tiers.map { ObjectIdentifier($0) }))
    futures[0] = nil
    #expect(known().count == 2)
    futures[1] = nil
    #expect(known() == [ObjectIdentifier(tier)])
  }

  // MARK: Counts

  @Test func `a transfer counts the futures that wait for it, and ends with the last of these futures`() async {
    var futures: [FutureImage?] = (0..<3).map { _ in fixture.future() }
    await fixture.held.waitForHeld()
    #expect(readerCounts(.transfer) == [3])
    futures[0]?.cancel()
    #expect(readerCounts(.transfer) == [2])
    futures[1] = nil
    #expect(readerCounts(.transfer) == [1] && fixture.held.cancelledCount == 0)
    futures[2]?.cancel()
    #expect(readerCounts(.transfer) == [] && fixture.loader.transferCount == 0)
    await fixture.held.waitForCancellations()
  }

  @Test func `a lookup counts the futures that wait for it, and ends with the last of these futures`() {
    tier.holdReads()
    var futures: [FutureImage?] = (0..<3).map { _ in fixture.future(policy: .tiers(disk: tier)) }
    #expect(readerCounts(.lookup) == [3])
    futures[0]?.cancel()
    #expect(readerCounts(.lookup) == [2])
    futures[1] = nil
    #expect(readerCounts(.lookup) == [1])
    futures[2]?.cancel()
    #expect(readerCounts(.lookup) == [] && fixture.loader.lookupCount == 0)
    tier.release()
  }

  @Test func `a decode counts the futures that wait for it, and ends with the last of these futures`() {
    decoder.close()
    var futures: [FutureImage?] = (0..<3).map { _ in fetched() }
    for future in futures { future?.loadMissing([.full], retrying: .no) }
    #expect(readerCounts(.decode) == [3])
    futures[0]?.cancel()
    #expect(readerCounts(.decode) == [2])
    futures[1] = nil
    #expect(readerCounts(.decode) == [1])
    futures[2]?.cancel()
    #expect(readerCounts(.decode) == [] && fixture.loader.decodeCount == 0)
    decoder.open()
  }

  @Test func `each tier has its own lookup, and each size has its own decode`() async {
    let (other, step) = (HeldTier(), DecodeStep(fraction: 0.125))
    for tier in [tier, other] { tier.holdReads() }
    decoder.close()
    let futures = [fetched(), fixture.future(policy: .tiers(disk: tier)), fixture.future(policy: .tiers(disk: other))]
    futures[0].loadMissing([step, .full], retrying: .no)
    #expect(readerCounts(.lookup) == [1, 1] && readerCounts(.decode) == [1, 1])
    for tier in [tier, other] { await tier.waitForReads() }
    for tier in [tier, other] { tier.release() }
    decoder.open()
  }

  @Test func `if a future waits for a transfer and also revalidates, the transfer counts the future twice until the future is canceled`()
    async
  {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    for _ in 0..<2 { future.joinInBackground() }
    #expect(readerCounts(.transfer) == [2])
    future.cancel()
    #expect(readerCounts(.transfer) == [])
    await fixture.held.waitForCancellations()
  }

  @Test func `a future that receives its bytes during a revalidation still revalidates them`() async {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    future.joinInBackground()
    future.receive(encoded())
    #expect(readerCounts(.transfer) == [1])
    #expect(future.withReader { $0.revalidates && !$0.isInFetch } == true)
    #expect(fixture.held.cancelledCount == 0)
  }

  @Test func `a future joins a transfer once, even if it is reloaded several times`() {
    let future = fixture.future()
    for _ in 0..<3 { future.reload() }
    #expect(readerCounts(.transfer) == [1])
  }

  @Test func `the purpose of a transfer is the strongest purpose for which any future has joined the transfer`() {
    let futures = [fixture.future(), fixture.idle()]
    var purposes: [Fetch.Purpose?] = []
    func record() { purposes.append(fixture.loader.state.withLock { $0.pictures[key]?.fetch?.purpose }) }
    record()
    futures[1].joinInBackground()
    record()
    futures[1].reload()
    record()
    futures[0].joinInBackground()
    record()
    #expect(purposes == [.first, .revalidation, .reload, .reload])
  }

  @Test func `futures get slots in the order of their requests, even if the lookup of an earlier future ends later`() async {
    let (fixture, early) = (LoaderFixture { $0.maxTransfersPerHost = 1 }, HeldTier())
    tier.holdReads()
    let first = fixture.future("first")
    await fixture.held.waitForHeld()
    let futures = [fixture.future("late", policy: .tiers(disk: tier)), fixture.future("early", policy: .tiers(disk: early))]
    await waitWhile(fixture.loader.transferCount < 2)
    tier.release()
    await waitWhile(fixture.loader.transferCount < 3)
    for number in 1...3 {
      await fixture.held.waitForRequests(number)
      fixture.held.resolve(with: SampleImage.jpeg())
    }
    #expect(fixture.held.requests.map(\.url) == ["first", "late", "early"].map { LoaderFixture.url($0) })
    withExtendedLifetime((first, futures)) {}
  }

  // MARK: Ends

  @Test(arguments: Job.allCases) func `the loader does not count as idle if a job ends between two polls`(job: Job) async {
    let before = fixture.loader.state.withLock { $0.work.idleDetector.poll() }
    switch job {
    case .lookup:
      let future = fixture.future(policy: .tiers(disk: HeldTier(SampleImage.jpeg())))
      await waitWhile(future.requestsBytes)
    case .transfer:
      let future = fixture.future(policy: .modelOnly)
      await fixture.serve("a", SampleImage.jpeg())
      withExtendedLifetime(future) {}
    case .decode:
      let future = fetched()
      future.loadMissing([.full], retrying: .no)
      await waitWhile(future.requestsPixels)
    }
    let isIdle = fixture.loader.state.withLock { state in
      state.work.idleDetector.finishPoll(before)
      return state.work.idleDetector.isIdle
    }
    #expect(!isIdle)
  }

  @Test func `the late reports of a canceled transfer have no effect`() async throws {
    let future = fixture.future(policy: .modelOnly)
    await fixture.held.waitForHeld()
    let (fetch, run) = try #require(future.runningFetch)
    future.cancel()
    let loader = fixture.loader
    #expect(!loader.park(fetch, run: run, Transfer.AttemptHistory()))
    loader.change { loader.advance(fetch, run: run, to: 0.5, &$0) }
    let entry = FutureImage.CacheEntry(body: SampleImage.jpeg())
    loader.finish(fetch, run: run, with: FetchedEntry(encoded: encoded(), entry: entry, mayStore: true))
    loader.fail(fetch, run: run, with: FutureImage.Failure(.transport(.offline)))
    #expect(future.failure?.reason == .cancelled)
    #expect(future.wholeSize == nil && loader.heldByteCount == 0)
    #expect(loader.statistics.failures == 0)
  }

  @Test func `the shown progress never decreases, except that unknown progress replaces a progress of zero`() async throws {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    let (fetch, run) = try #require(future.runningFetch)
    var shown: [Double?] = []
    for fraction in [0, nil, 0.5, 0.25, nil, 0.75] as [Double?] {
      fixture.loader.change { fixture.loader.advance(fetch, run: run, to: fraction, &$0) }
      if case .loading(let fraction) = future.stage { shown.append(fraction) }
    }
    #expect(shown == [0, nil, 0.5, 0.5, 0.5, 0.75])
  }

  @MainActor @Test func `a progress report becomes visible only if the progress changes, but always counts as activity`() async throws {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    let (fetch, run) = try #require(future.runningFetch)
    future.withReader { $0.watched = .phase }
    fixture.loader.state.withLock { $0.stallDetector.beginWatching([run]) }
    var becameVisible: [Bool] = []
    for fraction in [nil, 0.5, 0.5] as [Double?] {
      future.withReader { $0.pendingCommit = .none }
      fixture.loader.change { fixture.loader.advance(fetch, run: run, to: fraction, &$0) }
      becameVisible.append(future.withReader { $0.pendingCommit == .due } == true)
      #expect(fixture.loader.state.withLock { $0.stallDetector.poll([run]) }.isEmpty)
    }
    #expect(becameVisible == [false, true, false])
  }

  @Test func `a decode that fails after its last future was canceled has no effect`() async {
    let future = fixture.idle("a", .modelOnly)
    future.receive(Encoded(data: Data("broken".utf8), size: FutureImage.PixelSize(width: 64, height: 48), isFromDisk: false))
    decoder.close()
    future.loadMissing([.full], retrying: .no)
    await decoder.waitForHeld()
    future.cancel()
    decoder.open()
    await waitWhile(fixture.loader.statistics.decodes == 0)
    #expect(future.retainedBytes != nil && future.failure?.reason == .cancelled)
    #expect(fixture.loader.statistics.failures == 0)
  }
}

extension FutureImage {
  /// The name of the future's stage, which may not be visible yet. Unlike a read of ``phase``, a read of this property does not watch the
  /// future.
  var stageName: String {
    switch stage {
    case .waiting: "waiting"
    case .loading: "loading"
    case .fetched: "fetched"
    case .failed: "failed"
    case nil: "none"
    }
  }

  var visible: UIImage? { withReader(\.visible) ?? nil }

  /// Delivers bytes to the future, as the end of a request does.
  func receive(_ encoded: Encoded) {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    loader.change { state in
      guard let picture = reader.picture else { return }
      state.bytes.hold(encoded, in: picture, &state.departed)
      loader.deliver(in: picture, to: [reader], &state) { loader.deliverBytes(encoded, to: $0, &$1) }
    }
  }

  /// Joins the fetch as a revalidation, without waiting for the fetch.
  func joinInBackground() {
    guard let reader else { return }
    let loader = reader.descriptor.loader
    loader.change { loader.joinFetch(reader, as: .revalidation, isInBackground: true, &$0) }
  }

  /// The fetch of the future's picture, and the number of its run. Nil if no fetch runs.
  var runningFetch: (fetch: Fetch, run: UInt64)? {
    withReader { reader -> (fetch: Fetch, run: UInt64)? in
      guard let fetch = reader.picture?.fetch, let run = fetch.run else { return nil }
      return (fetch, run)
    } ?? nil
  }
}
