import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The values of `value(confirmed: true)`. A stale image is returned only after its source has confirmed or replaced it.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ConfirmedValueTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()

  /// Returns a fixture whose disk cache has a red image that is fresh for a minute.
  private func fixtureWithFreshImage() async throws -> LoaderFixture {
    let first = LoaderFixture(disk: disk) { [time] in $0.now = { time.now } }
    let future = first.future()
    await first.held.waitForHeld()
    first.held.resolve(with: TestColor.red.jpeg(), headers: ["etag": "\"red\"", "cache-control": "max-age=60"])
    _ = try await future.value
    await first.loader.waitForIdle()
    return LoaderFixture(disk: disk) { [time] configuration in
      configuration.now = { time.now }
      configuration.retry = .never
    }
  }

  @Test func `a fresh image is returned without a request`() async throws {
    let fixture = try await fixtureWithFreshImage()
    #expect(TestColor.red.isNearly(try await fixture.future().value(confirmed: true).color))
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a stale image is returned after its source has confirmed it`() async throws {
    let fixture = try await fixtureWithFreshImage()
    time.advance(seconds: 61)
    let future = fixture.future()
    async let image = future.value(confirmed: true)
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.last?.headers["If-None-Match"] == "\"red\"")
    // The source may get a second request, because the revalidation may end after the call has checked the age of the image and before the
    // call makes its own request.
    let responder = Task { [held = fixture.held] in
      while !Task.isCancelled {
        await held.waitForHeld()
        held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=60"]))
      }
    }
    #expect(TestColor.red.isNearly(try await image.color))
    responder.cancel()
    let count = fixture.held.requests.count
    #expect(count <= 2)
    #expect(TestColor.red.isNearly(try await future.value(confirmed: true).color))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == count)
  }

  @Test(arguments: ["max-age=0", "no-cache", "max-age=0, must-revalidate"])
  func `a confirmed value of an image that is not cached needs only one request, even if the response is stale at once`(_ control: String)
    async throws
  {
    let fixture = LoaderFixture(disk: disk) { [time] in $0.now = { time.now } }
    let future = fixture.future("b")
    async let image = future.value(confirmed: true)
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: TestColor.red.jpeg(), headers: ["etag": "\"red\"", "cache-control": control])
    #expect(TestColor.red.isNearly(try await image.color))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a newer image from the source is returned in place of the stale image`() async throws {
    let fixture = try await fixtureWithFreshImage()
    time.advance(seconds: 61)
    let future = fixture.future()
    async let image = future.value(fitting: .square(32), confirmed: true)
    await fixture.held.waitForHeld()
    // The source may get a second request, because the revalidation may end before the call makes its own request.
    let responder = Task { [held = fixture.held] in
      while !Task.isCancelled {
        await held.waitForHeld()
        held.resolve(with: TestColor.blue.jpeg(), headers: ["cache-control": "max-age=60"])
      }
    }
    #expect(TestColor.blue.isNearly(try await image.color))
    responder.cancel()
  }

  @Test func `if the source cannot be reached, the value throws a failure, and the stale image remains available`() async throws {
    let fixture = try await fixtureWithFreshImage()
    time.advance(seconds: 61)
    let future = fixture.future()
    let hasEnded = Lock(false)
    let image = Task {
      defer { hasEnded.withLock { $0 = true } }
      return try await future.value(confirmed: true)
    }
    // There may be two requests, because the revalidation of the stale image may fail before the confirming request starts.
    for _ in 0..<2 {
      await waitWhile(fixture.held.heldCount == 0 && !hasEnded.withLock { $0 })
      if fixture.held.heldCount > 0 { fixture.held.fail(nil, .transport(.offline)) }
    }
    let failure = await #expect(throws: FutureImage.Failure.self) { try await image.value }
    #expect(failure?.reason == .transport(.offline))
    #expect(TestColor.red.isNearly(try await future.value.color))
  }
}
