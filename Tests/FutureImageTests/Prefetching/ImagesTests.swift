import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests of many images at once.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ImagesTests {
  let fixture = LoaderFixture()

  @Test func `images are returned in the order of the futures, in whatever order they arrive`() async throws {
    let futures = ["a", "b", "c"].map { fixture.future($0) }
    async let images = futures.images()
    await fixture.held.waitForRequests(3)
    for (name, width) in [("c", 30), ("a", 10), ("b", 20)] {
      fixture.held.resolve(LoaderFixture.url(name), with: SampleImage.jpeg(width, 10))
    }
    #expect(try await images.map(\.size.width) == [10, 20, 30])
  }

  @Test func `images(fitting:) returns images that are no larger than necessary`() async throws {
    let futures = [fixture.future()]
    async let images = futures.images(fitting: .fit(width: 150, height: 150))
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    #expect(try await images.map(\.cgImage?.width) == [150])
  }

  @Test func `images() throws the failure of one future, and the other images still arrive`() async throws {
    let futures = ["a", "missing"].map { fixture.future($0) }
    let waiting = Task { try await futures.images() }
    await fixture.held.waitForRequests(2)
    fixture.held.answer(LoaderFixture.url("missing"), FutureImage.Response(status: 404))
    await #expect { try await waiting.value } throws: { ($0 as? FutureImage.Failure)?.reason == .status(404) }
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await futures[0].value
  }

  @Test func `results() returns images and failures in the order of their completion, and then ends`() async {
    let futures = ["a", "b", "c"].map { fixture.future($0) }
    await fixture.held.waitForRequests(3)
    var seen: [Int] = []
    var failed: [Int] = []
    fixture.held.resolve(LoaderFixture.url("c"), with: SampleImage.jpeg())
    for await (offset, result) in futures.results() {
      seen.append(offset)
      if case .failure = result { failed.append(offset) }
      if seen.count == 1 { fixture.held.answer(LoaderFixture.url("a"), FutureImage.Response(status: 410)) }
      if seen.count == 2 { fixture.held.resolve(LoaderFixture.url("b"), with: SampleImage.jpeg()) }
    }
    #expect(seen == [2, 0, 1])
    #expect(failed == [0])
  }

  @Test func `canceling a task that awaits images ends the wait and cancels no transfer`() async throws {
    let futures = ["a", "b"].map { fixture.future($0) }
    await fixture.held.waitForRequests(2)
    let waiting = Task { try await futures.images() }
    waiting.cancel()
    await #expect { try await waiting.value } throws: { ($0 as? FutureImage.Failure)?.reason == .cancelled }
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await futures.images()
    #expect(fixture.held.cancelledCount == 0)
  }

  @Test func `an empty collection returns no images`() async throws {
    #expect(try await [FutureImage]().images().isEmpty)
  }

  @Test func `the progress of an empty collection is finished`() {
    let progress = [FutureImage]().progress
    #expect(progress.totalUnitCount == 1 && progress.isFinished)
  }

  @Test func `canceling a task that awaits images removes its waiters`() async throws {
    let futures = ["a", "b"].map { fixture.future($0) }
    let waiting = Task { try await futures.images() }
    await waitWhile(!futures.allSatisfy({ $0.waiterCount > 0 }))
    waiting.cancel()
    await #expect(throws: FutureImage.Failure.self) { try await waiting.value }
    try await eventually("the waiters are removed") { futures.allSatisfy { $0.waiterCount == 0 } }
  }

  @MainActor @Test func `the common progress of several futures completes when each image has arrived or failed`() async {
    let futures = ["a", "b", "c", "missing"].map { fixture.future($0) }
    let progress = futures.progress
    let secondProgress = futures.progress
    await fixture.held.waitForRequests(4)
    fixture.held.resolve(LoaderFixture.url("a"), with: SampleImage.jpeg())
    fixture.held.resolve(LoaderFixture.url("b"), with: SampleImage.jpeg())
    _ = try? await futures[0].value
    _ = try? await futures[1].value
    await waitWhile(progress.fractionCompleted < 0.5)
    #expect(progress.fractionCompleted == 0.5)
    fixture.held.resolve(LoaderFixture.url("c"), with: SampleImage.jpeg())
    fixture.held.answer(LoaderFixture.url("missing"), FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect(progress.fractionCompleted == 1)
    #expect(secondProgress.fractionCompleted == 1)
  }

  @Test func `canceling the common progress cancels each future`() async {
    let futures = ["a", "b"].map { fixture.future($0) }
    await fixture.held.waitForRequests(2)
    futures.progress.cancel()
    await fixture.held.waitForCancellations(2)
    for future in futures { #expect(await future.end.failure?.reason == .cancelled) }
  }
}
