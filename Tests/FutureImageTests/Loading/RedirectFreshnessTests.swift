import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Images behind a redirect. They are stored under the URL before the redirect, for no longer than both the redirect and the image's own
/// response permit.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RedirectFreshnessTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()

  /// Returns a fixture that is like a relaunched app, in which only the disk cache has images.
  private func fixture() -> LoaderFixture {
    LoaderFixture(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  /// Fetches the first image, through a redirect with the given status and header fields.
  private func visit(_ status: Int, _ headers: [String: String] = [:]) async {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.held.waitForHeld()
    var headers = headers
    headers["location"] = "https://shop.test/first.jpg"
    fixture.held.answer(nil, FutureImage.Response(status: status, headers: headers))
    await fixture.serve("first", SampleImage.jpeg(640, 480, red: 200), headers: ["cache-control": "max-age=3600", "etag": "\"1\""])
    withExtendedLifetime(future) {}
  }

  private func red(_ future: FutureImage) async throws -> Int { try #require(try await future.value.color).red }

  @Test(arguments: [302, 303, 307])
  func `an image behind a temporary redirect is revalidated while it is shown, and replaced if the target changes`(
    status: Int
  ) async throws {
    await visit(status)
    let fixture = fixture()
    let future = fixture.future()
    #expect(try await red(future) > 150)
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: status, headers: ["location": "https://shop.test/second.jpg"]))
    await fixture.serve("second", SampleImage.jpeg(640, 480, red: 10))
    #expect(try await red(future) < 60)
    #expect(fixture.held.requests.map { $0.url.lastPathComponent } == ["a.jpg", "second.jpg"])
  }

  @Test(arguments: [301, 308])
  func `an image behind a permanent redirect is fresh for as long as its own response says`(status: Int) async throws {
    await visit(status)
    let fixture = fixture()
    #expect(try await red(fixture.future()) > 150)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `the lifetime that a redirect declares limits the lifetime of the image`() async throws {
    await visit(302, ["cache-control": "max-age=60"])
    time.advance(seconds: 59)
    let early = fixture()
    #expect(try await red(early.future()) > 150)
    await early.loader.waitForIdle()
    #expect(early.held.requests.isEmpty)
    time.advance(seconds: 2)
    let late = fixture()
    let future = late.future()
    #expect(try await red(future) > 150)
    await late.held.waitForHeld()
  }

  @Test func `a confirmed image behind a temporary redirect is stale again at the next request`() async throws {
    await visit(302)
    for _ in 0..<2 {
      let fixture = fixture()
      let future = fixture.future()
      #expect(try await red(future) > 150)
      await fixture.held.waitForHeld()
      fixture.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": "https://shop.test/first.jpg"]))
      await fixture.held.waitForRequests(2)
      #expect(fixture.held.requests.dropFirst().first?.headers["If-None-Match"] == "\"1\"")
      fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=3600"]))
      await fixture.loader.waitForIdle()
    }
  }

  @Test func `if the response that redirects has no-store, the image at the redirect target is not stored`() async throws {
    await visit(301, ["cache-control": "no-store"])
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 10))
    #expect(try await red(future) < 60)
  }
}
