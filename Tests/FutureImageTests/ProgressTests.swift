import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The progress of an image, for a progress bar.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ProgressTests {
  let fixture = LoaderFixture()
  let body = SampleImage.jpeg()

  /// Delivers the given part of the body, and waits until the progress includes it.
  private func begin(_ name: String = "a", part: Double) async throws {
    let count = Int(Double(body.count) * part) + 1
    await fixture.held.waitForHeld()
    fixture.held.begin(LoaderFixture.url(name), with: body.prefix(count), of: body.count)
    await fixture.loader.delivered()
  }

  private func isNearly(_ progress: Progress, _ fraction: Double) -> Bool { abs(progress.fractionCompleted - fraction) < 0.03 }

  // MARK: One image

  @Test(.timeLimit(.minutes(5)))
  func `the progress of a body without a declared length is indeterminate until the image has arrived`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer()
    server.answer("/a.jpg", .ok(SampleImage.noise(200, 200), contentType: "image/jpeg").chunked(1_000).heldBody(after: 4_000, by: gate))
    let fixture = LoaderFixture {
      $0.fetcher = HTTPBackend.platform.makeFetcher()
      // A body that the gate holds must not count as stalled, however long a busy machine takes.
      $0.stallTimeout = .seconds(3_600)
    }
    let future = FutureImage(at: server.url("/a.jpg"), loader: fixture.loader)
    let progress = future.progress
    await gate.waitForArrival()
    await waitWhile(fixture.loader.statistics.bytesReceived == 0)
    await fixture.loader.delivered()
    #expect(progress.isIndeterminate)
    guard case .loading(nil) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    gate.open()
    await fixture.loader.waitForIdle()
    #expect(!progress.isIndeterminate)
    #expect(progress.isFinished)
    server.stop()
  }

  @Test func `the progress never decreases when a body breaks off and starts again`() async throws {
    let future = fixture.future()
    let progress = future.progress
    let phases = Task {
      var fractions: [Double] = []
      for await phase in future.phases() { if case .loading(let fraction) = phase { fractions.append(fraction ?? 0) } }
      return fractions
    }
    await waitWhile(!future.hasPhaseStreams)
    try await begin(part: 0.6)
    #expect(isNearly(progress, 0.6))
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    await fixture.held.waitForRequests(2)
    await fixture.loader.delivered()
    #expect(isNearly(progress, 0.6))
    try await begin(part: 0.2)
    #expect(isNearly(progress, 0.6))
    fixture.held.finish(with: body.suffix(from: Int(Double(body.count) * 0.2) + 1))
    _ = try await future.value
    await fixture.loader.waitForIdle()
    #expect(progress.isFinished)
    let fractions = await phases.value
    #expect(fractions == fractions.sorted())
    #expect(fractions.contains { $0 > 0.5 })
  }

  @Test func `the body of a redirect response does not increase the progress`() async throws {
    let future = fixture.future()
    let progress = future.progress
    await fixture.held.waitForHeld()
    let page = Data(repeating: 32, count: 5_000)
    let headers = ["location": LoaderFixture.url("b").absoluteString]
    fixture.held.answer(nil, FutureImage.Response(status: 302, headers: headers, expectedBytes: page.count), page)
    await fixture.held.waitForRequests(2)
    await fixture.loader.delivered()
    #expect(progress.fractionCompleted == 0)
    #expect(progress.isIndeterminate)
    try await begin("b", part: 0.3)
    #expect(isNearly(progress, 0.3))
  }

  @Test func `a failed fetch leaves the progress unchanged, and the next fetch completes the progress`() async throws {
    let fixture = LoaderFixture { $0.retry = .never }
    let future = fixture.future()
    let progress = future.progress
    await fixture.held.waitForHeld()
    fixture.held.begin(with: body.prefix(body.count / 2), of: body.count)
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(isNearly(progress, 0.5))
    #expect(!progress.isFinished)
    imageView(8).futureImage = future
    await fixture.serve("a", body)
    #expect(progress.isFinished)
  }

  @Test func `a future that joins a transfer has the progress of that transfer`() async throws {
    let first = fixture.future()
    _ = first.progress
    try await begin(part: 0.5)
    let second = fixture.future()
    let progress = second.progress
    await fixture.loader.delivered()
    #expect(isNearly(progress, 0.5))
    guard case .loading(let fraction?) = second.phase else { return #expect(Bool(false), "\(second.phase)") }
    #expect(abs(fraction - 0.5) < 0.03)
  }

  @Test func `the progress of an image that has already arrived is finished from the start`() async {
    let future = fixture.future()
    await fixture.serve()
    #expect(future.progress.isFinished && [future].progress.isFinished)
    let other = fixture.future()
    #expect(other.progress.isFinished && [other].progress.isFinished)
  }

  @Test func `after a progress is canceled, the next fetch gets a new progress, which can cancel that fetch`() async {
    let future = fixture.future()
    let old = future.progress
    await fixture.held.waitForHeld()
    old.cancel()
    await fixture.held.waitForCancellations()
    await fixture.loader.waitForIdle()
    imageView(8).futureImage = future
    await fixture.held.waitForHeld()
    let new = future.progress
    #expect(!new.isCancelled)
    new.cancel()
    await fixture.held.waitForCancellations(2)
    #expect(future.progress !== old)
  }

  @Test func `until its next fetch, a future returns the same progress object, even after that progress is canceled`() async {
    let future = fixture.future()
    let progress = future.progress
    #expect(future.progress === progress)
    await fixture.held.waitForHeld()
    progress.cancel()
    await fixture.held.waitForCancellations()
    await fixture.loader.waitForIdle()
    #expect(future.progress === progress)
  }

  @Test func `canceling a future does not finish its progress`() async {
    let future = fixture.future()
    let progress = future.progress
    await fixture.held.waitForHeld()
    future.cancel()
    await fixture.loader.waitForIdle()
    #expect(!progress.isFinished)
  }

  // MARK: Many images

  @Test func `a parent progress weighs its children by their unit counts`() async throws {
    let futures = ["a", "b"].map { fixture.future($0) }
    let parent = Progress(totalUnitCount: 10)
    parent.addChild(futures[0].progress, withPendingUnitCount: 9)
    parent.addChild(futures[1].progress, withPendingUnitCount: 1)
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("b"), with: body)
    _ = try await futures[1].value
    await futures[1].committed()
    #expect(isNearly(parent, 0.1))
    try await begin("a", part: 0.5)
    #expect(isNearly(parent, 0.55))
  }

  @Test func `the progress of an array includes arrived images, and does not decrease when an attempt fails`() async throws {
    let futures = ["a", "b"].map { fixture.future($0) }
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("a"), with: body)
    _ = try await futures[0].value
    await fixture.loader.delivered()
    let progress = futures.progress
    #expect(progress.fractionCompleted == 0.5)
    try await begin("b", part: 0.5)
    #expect(isNearly(progress, 0.75))
    fixture.held.fail(LoaderFixture.url("b"))
    await fixture.clock.waitForSleepers()
    await fixture.loader.delivered()
    #expect(isNearly(progress, 0.75))
    #expect(!progress.isFinished)
  }

  @Test func `an image that occurs twice in an array counts twice in the array's progress`() async throws {
    let (twice, once) = (fixture.future("a"), fixture.future("b"))
    let progress = [twice, twice, once].progress
    await fixture.held.waitForHeld(2)
    try await begin("a", part: 0.5)
    #expect(isNearly(progress, 1.0 / 3))
    withExtendedLifetime((twice, once)) {}
  }

  @Test func `an image that has already failed counts as finished in the progress of an array`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect([future].progress.isFinished)
    #expect(!future.progress.isFinished)
  }

  @Test func `released progresses do not accumulate in their futures`() {
    let future = fixture.future()
    for _ in 0..<100 { _ = [future].progress }
    #expect(future.withReader { (1..<10).contains($0.observers?.parts.count ?? 0) } == true)
  }

  @Test func `the progress of an empty array is finished`() {
    let progress = [FutureImage]().progress
    #expect(progress.isFinished)
    #expect(progress.fractionCompleted == 1)
  }

  @Test func `a progress does not retain its futures`() async {
    var futures: [FutureImage] = [fixture.future("a"), fixture.future("b")]
    let progresses = [futures[0].progress, futures.progress]
    await fixture.held.waitForHeld(2)
    futures = []
    await fixture.held.waitForCancellations(2)
    withExtendedLifetime(progresses) {}
  }
}
