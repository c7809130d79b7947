import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The memory that a loader needs for images that no future has anymore.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct LoaderMemoryTests {
  /// Returns a fixture that remembers at most 50 images without futures.
  private func forgetfulFixture() -> LoaderFixture {
    let fixture = LoaderFixture { $0.maxTransfersPerHost = 24 }
    fixture.loader.state.withLock { $0.pictures = Registry(limit: 50) }
    return fixture
  }

  @Test func `after the futures of many failed images are released, the loader remembers only a limited number of the failures`() async {
    let fixture = forgetfulFixture()
    for round in 0..<5 {
      let futures = (0..<100).map { fixture.future("\(round)-\($0)") }
      for number in futures.indices {
        await fixture.held.waitForRequests(round * 100 + number + 1)
        fixture.held.answer(nil, FutureImage.Response(status: 404))
      }
      await fixture.loader.waitForIdle()
      #expect(futures.allSatisfy { $0.failure?.reason == .status(404) })
      #expect(fixture.loader.pictureCount >= 100)
      withExtendedLifetime(futures) {}
    }
    await waitWhile(fixture.loader.pictureCount > 50)
    #expect(fixture.loader.pictureCount == 50)
  }

  @Test func `a permanent failure is remembered after the last future of its image is released, until retryFailed is called`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    var future: FutureImage? = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    await alone(&future)
    future = nil
    #expect(fixture.loader.failureCount(of: SourceKey(LoaderFixture.url().absoluteString)) == 1)
    #expect(fixture.loader.pictureCount == 1)
    fixture.loader.retryFailed()
    #expect(fixture.loader.pictureCount == 0)
  }

  @Test func `a transient failure is forgotten when the last future of its image is released`() async {
    let fixture = LoaderFixture { $0.retry = .never }
    var (first, second): (FutureImage?, FutureImage?) = (fixture.future(), fixture.future())
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    await alone(&first)
    await alone(&second)
    first = nil
    #expect(fixture.loader.state.withLock { $0.pictures[SourceKey(LoaderFixture.url().absoluteString)]?.notes.hasFailed } == true)
    second = nil
    #expect(fixture.loader.state.withLock { $0.pictures[SourceKey(LoaderFixture.url().absoluteString)] } == nil)
  }

  // The generation of an image is the number of times that another image has replaced the image of its key.
  @Test func `after the loader has forgotten the generation of an image, a new future still gets the newest image`() async throws {
    let fixture = forgetfulFixture()
    let tiers = (0..<1_000).map { _ in HeldTier(TestColor.red.jpeg(8, 6)) }
    for first in stride(from: 0, to: 1_000, by: 20) {
      let futures = (first..<first + 20).map { fixture.future("\($0)", policy: .tiers(disk: tiers[$0])) }
      if first == 0 { for future in futures { #expect(TestColor.red.isNearly(try await future.value.color)) } }
      for future in futures { future.reload() }
      await fixture.held.waitForHeld(20)
      fixture.held.resolve(with: TestColor.blue.jpeg(8, 6))
      await fixture.loader.waitForIdle()
      if first == 0 { for future in futures { #expect(TestColor.blue.isNearly(try await future.value.color)) } }
    }
    #expect(fixture.loader.pictureCount <= 100)
    for number in [0, 1, 9, 500, 999] {
      let newcomer = fixture.future("\(number)", policy: .tiers(disk: tiers[number]))
      #expect(TestColor.blue.isNearly(try await newcomer.value.color))
    }
  }

  @Test func `the generation of an image is not forgotten while a future has the image`() async throws {
    let fixture = forgetfulFixture()
    let retained = fixture.future("kept", policy: .modelOnly)
    await fixture.serve("kept", TestColor.red.jpeg(8, 6))
    retained.reload()
    await fixture.serve("kept", TestColor.blue.jpeg(8, 6))
    for first in stride(from: 0, to: 600, by: 20) {
      let futures = (first..<first + 20).map { fixture.future("\($0)") }
      for future in futures { future.reload() }
      await fixture.held.waitForHeld(20)
      fixture.held.resolve(with: TestColor.red.jpeg(8, 6))
      await fixture.loader.waitForIdle()
      withExtendedLifetime(futures) {}
    }
    #expect(fixture.loader.generation(of: SourceKey(retained.key)) == 1)
    #expect(TestColor.blue.isNearly(try await fixture.future("kept", policy: .modelOnly).value.color))
    #expect(fixture.held.requests.count { $0.url == LoaderFixture.url("kept") } == 2)
  }

  @Test func `the pixels of an image that must be revalidated are released when the loader forgets the image`() async throws {
    let fixture = LoaderFixture()
    fixture.loader.state.withLock { $0.pictures = Registry(limit: 0) }
    var future: FutureImage? = fixture.future()
    await fixture.serve(headers: ["cache-control": "no-cache"])
    _ = try await future?.value
    #expect(fixture.loader.pixelBytes > 0)
    await alone(&future)
    future = nil
    #expect(fixture.loader.pictureCount == 0)
    #expect(fixture.loader.pixelBytes == 0)
    // The loader has forgotten that the image must be revalidated. If the pixels still existed, a new future would show them without a
    // request.
    let later = fixture.future()
    try #require(!later.phase.isFinal)
    await fixture.held.waitForRequests(2)
    withExtendedLifetime(later) {}
  }

  @Test func `after a lookup finds no image in a tier, the loader retains the tier until the transfer of the image ends`() async {
    let fixture = LoaderFixture()
    let other = fixture.future()
    await fixture.held.waitForHeld()
    var tier: HeldTier? = HeldTier()
    var future: FutureImage? = fixture.future(policy: .tiers(disk: tier))
    weak let weakTier = tier
    tier = nil
    await waitWhile(fixture.loader.transferWaiterCount(of: SourceKey(LoaderFixture.url().absoluteString)) < 2)
    withExtendedLifetime(future) {}
    future = nil
    // If the tier were released, the loader could mistake a new tier at the same address for the tier without an entry.
    #expect(weakTier != nil)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    await waitWhile(weakTier != nil)
    withExtendedLifetime(other) {}
  }
}
