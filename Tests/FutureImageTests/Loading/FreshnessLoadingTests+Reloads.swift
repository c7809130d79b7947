import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

extension FreshnessLoadingTests {
  // MARK: Doubtful 304 responses

  @Test(arguments: [
    (["cache-control": "max-age=60"], [:]),
    (["cache-control": "max-age=60", "etag": "\"1\""], ["etag": "\"2\""]),
    (["cache-control": "max-age=60", "last-modified": "Sun, 06 Nov 1994 02:00:00 GMT"], ["last-modified": "Mon, 07 Nov 1994 02:00:00 GMT"])
  ])
  func `a 304 that cannot match the image causes an unconditional request`(stored: [String: String], sent: [String: String]) async throws {
    await visit(stored)
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    #expect(try await red(future) > 150)
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: sent))
    await fixture.held.waitForRequests(2)
    let second = fixture.held.requests[1].headers
    #expect(second == ["Cache-Control": "no-cache"])
    fixture.held.resolve(with: new)
    await fixture.loader.waitForIdle()
    #expect(try await red(future) < 60)
    #expect(fixture.held.requests.count == 2)
  }

  @Test(arguments: [
    ["etag": "W/\"1\""], ["etag": "\"1\"", "last-modified": "Mon, 07 Nov 1994 02:00:00 GMT"], ["last-modified": "Sun Nov  6 02:00:00 1994"]
  ])
  func `a 304 with equivalent validators is accepted`(sent: [String: String]) async throws {
    await visit(["cache-control": "max-age=60", "etag": "\"1\"", "last-modified": "Sun, 06 Nov 1994 02:00:00 GMT"])
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    _ = try await future.value
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: sent))
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Reload

  @Test(arguments: [[:], ["etag": "\"1\""]])
  func `a reload bypasses caches between the app and the server unless the image has a validator`(headers: [String: String]) async throws {
    await visit(headers)
    let fixture = fixture()
    let future = fixture.future()
    _ = try await future.value
    future.reload()
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.first?.headers == (headers.isEmpty ? ["Cache-Control": "no-cache"] : ["If-None-Match": "\"1\""]))
  }

  @Test func `header fields that the app sets are not sent twice, even if their letter case differs`() async throws {
    let fixture = fixture()
    let source = FutureImage.Source.url(LoaderFixture.url(), headers: ["cache-control": "max-stale", "if-none-match": "\"app\""])
    let future = FutureImage(source, loader: fixture.loader)
    await fixture.serve("a", old, headers: ["etag": "\"1\""])
    future.reload()
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests[1].headers == ["cache-control": "max-stale", "if-none-match": "\"app\""])
  }

  // MARK: Clocks

  @Test func `an image on disk is revalidated after the clock was set back`() async throws {
    await visit()
    time.advance(hours: -24)
    let fixture = fixture()
    let future = fixture.future()
    #expect(try await red(future) > 150)
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    let later = self.fixture()
    _ = try await later.future().value
    await later.loader.waitForIdle()
    #expect(later.held.requests.isEmpty)
  }

  @Test func `an image in memory is revalidated after the clock was set back`() async throws {
    let fixture = fixture()
    let first = fixture.future()
    await fixture.serve("a", old, headers: ["cache-control": "max-age=60"])
    _ = try await first.value
    time.advance(hours: -24)
    let second = fixture.future()
    #expect(second.phase.isFinal)
    await fixture.held.waitForRequests(2)
  }
}
