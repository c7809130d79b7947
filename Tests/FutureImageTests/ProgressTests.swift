import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The progress of an image, for a progress bar.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ProgressTests {
  let shop = Shop()
  let body = Picture.jpeg()

  /// Delivers the given part of the body, and waits until it is shown.
  private func begin(_ name: String = "a", part: Double, of future: FutureImage) async throws {
    let count = Int(Double(body.count) * part) + 1
    await shop.held.waitForHeld()
    shop.held.begin(Shop.url(name), with: body.prefix(count), of: body.count)
    await shop.loader.delivered()
  }

  private func isNearly(_ progress: Progress, _ fraction: Double) -> Bool { abs(progress.fractionCompleted - fraction) < 0.03 }

  // MARK: One image

  @Test(.timeLimit(.minutes(5)))
  func `without a length, the progress is indeterminate until the image has arrived`() async throws {
    let gate = LoopbackServer.Gate()
    let server = try LoopbackServer()
    server.answer("/a.jpg", .ok(Picture.noise(200, 200), contentType: "image/jpeg").chunked(1_000).heldBody(after: 4_000, by: gate))
    let shop = Shop {
      $0.fetcher = HTTPBackend.platform.makeFetcher()
      // A body that the gate holds must not count as stalled, however long a busy machine takes.
      $0.stallTimeout = .seconds(3_600)
    }
    let future = FutureImage(at: server.url("/a.jpg"), loader: shop.loader)
    let progress = future.progress
    await gate.waitForArrival()
    await waitWhile(shop.loader.statistics.bytesReceived == 0)
    await shop.loader.delivered()
    #expect(progress.isIndeterminate)
    guard case .loading(nil) = future.phase else { return #expect(Bool(false), "\(future.phase)") }
    gate.open()
    await shop.loader.waitUntilSettled()
    #expect(!progress.isIndeterminate)
    #expect(progress.isFinished)
    server.stop()
  }

  @Test func `a body that is cut off and restarted never moves the progress back`() async throws {
    let future = shop.future()
    let progress = future.progress
    let phases = Task {
      var fractions: [Double] = []
      for await phase in future.phases { if case .loading(let fraction) = phase { fractions.append(fraction ?? 0) } }
      return fractions
    }
    await waitWhile(!future.hasPhaseStreams)
    try await begin(part: 0.6, of: future)
    #expect(isNearly(progress, 0.6))
    shop.held.fail()
    await shop.clock.waitForSleepers()
    shop.clock.advance(by: .seconds(1))
    await shop.held.waitForRequests(2)
    await shop.loader.delivered()
    #expect(isNearly(progress, 0.6))
    try await begin(part: 0.2, of: future)
    #expect(isNearly(progress, 0.6))
    shop.held.finish(with: body.suffix(from: Int(Double(body.count) * 0.2) + 1))
    _ = try await future.value
    await shop.loader.waitUntilSettled()
    #expect(progress.isFinished)
    let fractions = await phases.value
    #expect(fractions == fractions.sorted())
    #expect(fractions.contains { $0 > 0.5 })
  }

  @Test func `the body of a redirect does not count as progress`() async throws {
    let future = shop.future()
    let progress = future.progress
    await shop.held.waitForHeld()
    let page = Data(repeating: 32, count: 5_000)
    let headers = ["location": Shop.url("b").absoluteString]
    shop.held.answer(nil, FutureImage.Response(status: 302, headers: headers, expectedBytes: page.count), page)
    await shop.held.waitForRequests(2)
    await shop.loader.delivered()
    #expect(progress.fractionCompleted == 0)
    #expect(progress.isIndeterminate)
    try await begin("b", part: 0.3, of: future)
    #expect(isNearly(progress, 0.3))
  }

  @Test func `a failure leaves the progress where it was, and another attempt completes it`() async throws {
    let shop = Shop { $0.retry = .never }
    let future = shop.future()
    let progress = future.progress
    await shop.held.waitForHeld()
    shop.held.begin(with: body.prefix(body.count / 2), of: body.count)
    await shop.held.waitForHeld()
    await shop.loader.delivered()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    #expect(isNearly(progress, 0.5))
    #expect(!progress.isFinished)
    imageView(8).futureImage = future
    await shop.serve("a", body)
    #expect(progress.isFinished)
  }

  @Test func `a future that joins a transfer has the progress of that transfer`() async throws {
    let first = shop.future()
    _ = first.progress
    try await begin(part: 0.5, of: first)
    let second = shop.future()
    let progress = second.progress
    await shop.loader.delivered()
    #expect(isNearly(progress, 0.5))
    guard case .loading(let fraction?) = second.phase else { return #expect(Bool(false), "\(second.phase)") }
    #expect(abs(fraction - 0.5) < 0.03)
  }

  @Test func `the progress of an image that has arrived is finished at once`() async {
    let future = shop.future()
    await shop.serve()
    #expect(future.progress.isFinished)
    let other = shop.future()
    #expect([future].progress.isFinished)
    _ = other
  }

  @Test func `a canceled progress is replaced for the next attempt, and the new one cancels that attempt`() async {
    let future = shop.future()
    let old = future.progress
    await shop.held.waitForHeld()
    old.cancel()
    await shop.held.waitForCancellations()
    await shop.loader.waitUntilSettled()
    imageView(8).futureImage = future
    await shop.held.waitForHeld()
    let new = future.progress
    #expect(!new.isCancelled)
    new.cancel()
    await shop.held.waitForCancellations(2)
    #expect(future.progress !== old)
  }

  @Test func `a future has one progress, also once that is canceled, until it is requested again`() async {
    let future = shop.future()
    let progress = future.progress
    #expect(future.progress === progress)
    await shop.held.waitForHeld()
    progress.cancel()
    await shop.held.waitForCancellations()
    await shop.loader.waitUntilSettled()
    #expect(future.progress === progress)
  }

  @Test func `canceling a future does not finish its progress`() async {
    let future = shop.future()
    let progress = future.progress
    await shop.held.waitForHeld()
    future.cancel()
    await shop.loader.waitUntilSettled()
    #expect(!progress.isFinished)
  }

  // MARK: Many images

  @Test func `a parent progress weighs its children by their unit counts`() async throws {
    let futures = ["a", "b"].map { shop.future($0) }
    let parent = Progress(totalUnitCount: 10)
    parent.addChild(futures[0].progress, withPendingUnitCount: 9)
    parent.addChild(futures[1].progress, withPendingUnitCount: 1)
    await shop.held.waitForHeld(2)
    shop.held.resolve(Shop.url("b"), with: body)
    _ = try await futures[1].value
    await futures[1].committed()
    #expect(isNearly(parent, 0.1))
    try await begin("a", part: 0.5, of: futures[0])
    #expect(isNearly(parent, 0.55))
  }

  @Test func `the progress of an array never moves back and counts images that have arrived`() async throws {
    let futures = ["a", "b"].map { shop.future($0) }
    await shop.held.waitForHeld(2)
    shop.held.resolve(Shop.url("a"), with: body)
    _ = try await futures[0].value
    await shop.loader.delivered()
    let progress = futures.progress
    #expect(progress.fractionCompleted == 0.5)
    try await begin("b", part: 0.5, of: futures[1])
    #expect(isNearly(progress, 0.75))
    shop.held.fail(Shop.url("b"))
    await shop.clock.waitForSleepers()
    await shop.loader.delivered()
    #expect(isNearly(progress, 0.75))
    #expect(!progress.isFinished)
  }

  @Test func `an image that occurs twice counts twice`() async throws {
    let future = shop.future()
    let progress = [future, future].progress
    try await begin(part: 0.5, of: future)
    #expect(isNearly(progress, 0.5))
  }

  @Test func `the progress of an array counts images that had failed before`() async {
    let shop = Shop { $0.retry = .never }
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    #expect([future].progress.isFinished)
    #expect(!future.progress.isFinished)
  }

  @Test func `released progresses do not accumulate in their futures`() {
    let future = shop.future()
    for _ in 0..<100 { _ = [future].progress }
    #expect(future.withReader { $0.observers?.parts.count ?? 0 } ?? 0 < 10)
  }

  @Test func `the progress of an empty array is finished`() {
    let progress = [FutureImage]().progress
    #expect(progress.isFinished)
    #expect(progress.fractionCompleted == 1)
  }

  @Test func `a progress does not retain its futures`() async {
    var futures: [FutureImage] = [shop.future("a"), shop.future("b")]
    let progresses = [futures[0].progress, futures.progress]
    await shop.held.waitForHeld(2)
    futures = []
    await shop.held.waitForCancellations(2)
    withExtendedLifetime(progresses) {}
  }
}
