import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// Images that a server selects according to the fields of a request. Source of the terms: RFC 9111, section 4.1.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct VaryTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()
  private let user = Lock("ann")

  /// The way in which the app names its user to the server. The hook is `prepareRequest`, and the closure returns header fields.
  enum Way: CaseIterable {
    case configuration, hook, source, closure
  }

  /// Returns a fixture that is like a relaunched app, in which only the disk cache has images.
  private func fixture(_ way: Way, change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }) -> LoaderFixture {
    LoaderFixture(disk: disk) { [time, user] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
      if way == .configuration { configuration.headers["Authorization"] = user.withLock { $0 } }
      if way == .hook {
        configuration.prepareRequest = { request in
          var request = request
          request.headers["Authorization"] = user.withLock { $0 }
          return request
        }
      }
      change(&configuration)
    }
  }

  private func future(_ fixture: LoaderFixture, _ way: Way) -> FutureImage {
    let source: FutureImage.Source =
      switch way {
      case .configuration, .hook: .url(LoaderFixture.url())
      case .source: .url(LoaderFixture.url(), headers: ["authorization": user.withLock { $0 }], key: "a")
      case .closure: .url(LoaderFixture.url(), key: "a") { [user] in ["Authorization": user.withLock { $0 }] }
      }
    return FutureImage(source, loader: fixture.loader)
  }

  private static let usual = ["cache-control": "max-age=60", "vary": "Authorization", "etag": "\"1\""]

  /// Fetches the image for the current user, and waits until the image is on disk.
  private func visit(_ way: Way, _ headers: [String: String] = Self.usual) async throws {
    let fixture = fixture(way)
    let future = future(fixture, way)
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 200), headers: headers)
    _ = try await future.value
    await fixture.loader.waitForIdle()
  }

  private func red(_ future: FutureImage) async throws -> Int { try #require(try await future.value.color).red }

  @Test(arguments: Way.allCases)
  func `another user does not see the image that a server selected for the first user`(way: Way) async throws {
    try await visit(way)
    user.withLock { $0 = "bob" }
    let fixture = fixture(way)
    let future = future(fixture, way)
    await fixture.held.waitForHeld()
    #expect(!future.phase.isFinal)
    #expect(fixture.held.requests[0].headers["If-None-Match"] == "\"1\"")
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 10), headers: Self.usual)
    #expect(try await red(future) < 60)
  }

  @Test(arguments: Way.allCases)
  func `the same user sees the image without a request, even if Vary has a different letter case`(way: Way) async throws {
    try await visit(way, ["cache-control": "max-age=60", "vary": "AUTHORIZATION , accept-encoding"])
    let fixture = fixture(way)
    #expect(try await red(future(fixture, way)) > 150)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test(arguments: Way.allCases)
  func `the same user sees a stale image while its server does not answer`(way: Way) async throws {
    try await visit(way)
    time.advance(seconds: 61)
    let fixture = fixture(way)
    let future = future(fixture, way)
    await fixture.held.waitForHeld()
    fixture.held.fail()
    #expect(try await red(future) > 150)
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.statistics.failures == 1)
    let second = self.future(fixture, way)
    #expect(try await red(second) > 150)
  }

  @Test func `a failed revalidation does not affect an image that has replaced the stale image meanwhile`() async throws {
    try await visit(.hook)
    time.advance(seconds: 61)
    let (createdLoader, key) = (Lock<FutureImage.Loader?>(nil), SourceKey(LoaderFixture.url().absoluteString))
    let fresh = Validity(receivedAt: time.now, freshUntil: time.now + 300)
    let fixture = fixture(.hook) { configuration in
      configuration.onEvent = { _, event in
        guard case .failed = event, let loader = createdLoader.withLock({ $0 }) else { return }
        // The image is replaced, as if the app had set an image.
        loader.change { state in
          let picture = state.pictures.picture(key)
          loader.replaceImage(of: picture, &state)
          picture.note(fresh)
        }
      }
    }
    createdLoader.withLock { $0 = fixture.loader }
    defer { createdLoader.withLock { $0 = nil } }
    let future = future(fixture, .hook)
    await fixture.held.waitForHeld()
    let run = try #require(fixture.loader.state.withLock { $0.pictures[key]?.fetch?.task?.task })
    fixture.held.fail()
    await run.value
    #expect(fixture.loader.generation(of: key) == 1)
    #expect(fixture.loader.state.withLock { $0.pictures[key]?.remembered.validity } == fresh)
    #expect(fixture.loader.statistics.failures == 0)
    withExtendedLifetime(future) {}
  }

  @Test(arguments: [Way.hook, .closure])
  func `another user does not see the first user's image from memory`(way: Way) async throws {
    let fixture = fixture(way)
    let first = future(fixture, way)
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 200), headers: Self.usual)
    #expect(try await red(first) > 150)
    user.withLock { $0 = "bob" }
    let second = future(fixture, way)
    #expect(!second.phase.isFinal)
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 10), headers: Self.usual)
    #expect(try await red(second) < 60)
  }

  @Test func `a response that has a modification date but no ETag is not revalidated for another user`() async throws {
    let headers = ["last-modified": "Thu, 01 Jan 2015 00:00:00 GMT", "vary": "Authorization"]
    try await visit(.hook, headers)
    user.withLock { $0 = "bob" }
    let fixture = fixture(.hook)
    let future = future(fixture, .hook)
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests[0].headers["If-Modified-Since"] == nil)
    await fixture.serve("a", SampleImage.jpeg(640, 480, red: 10), headers: headers)
    #expect(try await red(future) < 60)
  }

  @Test func `after a 304 has confirmed an image for another user, that user sees the image without a request`() async throws {
    try await visit(.configuration)
    user.withLock { $0 = "bob" }
    for isFirst in [true, false] {
      let fixture = fixture(.configuration)
      let future = future(fixture, .configuration)
      if isFirst {
        await fixture.held.waitForHeld()
        fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["etag": "\"1\"", "cache-control": "max-age=60"]))
      }
      #expect(try await red(future) > 150)
      await fixture.loader.waitForIdle()
      #expect(fixture.held.requests.count == (isFirst ? 1 : 0))
    }
  }

  @Test func `an image also depends on the request fields that a redirect names in Vary`() async throws {
    let first = fixture(.configuration)
    let image = future(first, .configuration)
    await first.held.waitForHeld()
    first.held.answer(
      nil,
      FutureImage.Response(
        status: 301, headers: ["location": "https://shop.test/b.jpg", "vary": "Authorization", "cache-control": "max-age=60"]))
    await first.serve("b", SampleImage.jpeg(640, 480, red: 200), headers: ["cache-control": "max-age=60"])
    _ = try await image.value
    await first.loader.waitForIdle()
    user.withLock { $0 = "bob" }
    let second = fixture(.configuration)
    let other = future(second, .configuration)
    await second.held.waitForHeld()
    #expect(!other.phase.isFinal)
  }

  @Test func `an image is requested each time if Vary names a field that prepareRequest changes only after a redirect`() async throws {
    let prepare: @Sendable (inout FutureImage.Loader.Configuration) -> Void = { configuration in
      configuration.retry = .never
      configuration.prepareRequest = { request in
        var request = request
        if request.url.lastPathComponent == "b.jpg" { request.headers["Authorization"] = "ann" }
        return request
      }
    }
    for _ in 0..<2 {
      let fixture = LoaderFixture(disk: disk, change: prepare)
      let image = fixture.future()
      await fixture.held.waitForHeld()
      #expect(!image.phase.isFinal)
      fixture.held.answer(nil, FutureImage.Response(status: 301, headers: ["location": "https://shop.test/b.jpg"]))
      await fixture.serve("b", SampleImage.jpeg(640, 480, red: 200), headers: Self.usual)
      _ = try await image.value
      await fixture.loader.waitForIdle()
    }
  }

  @Test func `fields in Vary that no app sets cause no request, even if the loader has a prepareRequest closure`() async throws {
    try await visit(.hook, ["cache-control": "max-age=60", "vary": "Accept, Accept-Encoding, Origin, Sec-Fetch-Dest"])
    user.withLock { $0 = "bob" }
    let fixture = fixture(.hook)
    let future = future(fixture, .hook)
    #expect(try await red(future) > 150)
    let second = self.future(fixture, .hook)
    #expect(second.phase.isFinal)
    #expect(fixture.held.requests.isEmpty)
  }

  struct KeyRow: Sendable {
    var vary: String
    var fields: [String: String]
    var names: String?
  }

  @Test(arguments: [
    KeyRow(vary: "Accept-Language, Cookie", fields: ["accept-language": "de"], names: "accept-language,cookie"),
    KeyRow(vary: "cookie,,Cookie", fields: [:], names: "cookie"),
    KeyRow(vary: "Accept", fields: ["ACCEPT": "image/png"], names: "accept"),
    KeyRow(vary: "Accept, User-Agent, Access-Control-Request-Method", fields: [:]),
    KeyRow(vary: "If-None-Match, Range, Cache-Control", fields: ["Range": "bytes=1-"]),
    KeyRow(vary: "*", fields: ["Cookie": "a"]), KeyRow(vary: "", fields: ["Cookie": "a"])
  ])
  func `a secondary key contains the names of the fields in Vary that distinguish requests`(row: KeyRow) {
    #expect(SecondaryKey(vary: row.vary, fields: row.fields)?.names == row.names)
  }

  @Test func `a secondary key fits only the same field values, and does not contain these values`() throws {
    let fields = ["X-A": "secret", "x-b": "c"]
    let key = try #require(SecondaryKey(vary: "X-B, X-A", fields: fields))
    #expect(key.fits(["x-a": "secret", "X-B": "c", "Other": "d"]))
    #expect(!key.text.contains("secret"))
    for other in [["X-A": "secretc", "X-B": ""], ["X-A": "secret"], ["X-B": "c"], [:], ["X-A": "c", "X-B": "secret"]] {
      #expect(!key.fits(other))
    }
    #expect(!SecondaryKey("").fits([:]))
    #expect(!SecondaryKey("no digest").fits([:]))
  }
}
