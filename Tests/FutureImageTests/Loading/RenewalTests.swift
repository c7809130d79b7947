import Foundation
import Testing

@testable import FutureImage
@testable import FutureImageTesting

/// Signed URLs that have expired, and recipes that return new URLs.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RenewalTests {
  private struct ServerDown: Error {}

  /// The object that the recipe below calls to renew a URL. Each object is stored statically by its key, because a recipe has no instances.
  final class Signer: Sendable {
    private static let all = Lock([String: Signer]())
    private let received = Observed<[URL]>([])
    private let answer: @Sendable (URL) async throws -> URL?

    init(_ key: String, _ answer: @escaping @Sendable (URL) async throws -> URL?) {
      self.answer = answer
      Self.all.withLock { $0[key] = self }
    }

    var urls: [URL] { received.read { $0 } }

    func waitForCalls(_ count: Int = 1) async { await received.wait { $0.count >= count } }

    static func renew(_ url: URL, key: String) async throws -> URL? {
      guard let signer = all.withLock({ $0[key] }) else { return nil }
      signer.received.update { $0.append(url) }
      return try await signer.answer(url)
    }
  }

  enum Signed: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      guard let url = URL(string: text), let id = fields.value("id", as: String.self) else {
        throw FutureImage.Failure(.refused("it is no URL"))
      }
      return .url(url, key: id)
    }

    static func renew(_ url: URL, key: String) async throws -> URL? { try await Signer.renew(url, key: key) }
  }

  struct Product: Decodable {
    let id: String
    @FutureImage.From<Signed, FutureImage> var photo: FutureImage
  }

  let fixture = LoaderFixture()
  private let id = UUID().uuidString

  private func product(_ signature: String, in fixture: LoaderFixture? = nil) throws -> Product {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = (fixture ?? self.fixture).loader
    return try decoder.decode(Product.self, from: Data(#"{"id": "\#(id)", "photo": "\#(LoaderFixture.url(signature))"}"#.utf8))
  }

  private func answer(_ status: Int, at count: Int, in fixture: LoaderFixture? = nil) async {
    let held = (fixture ?? self.fixture).held
    await held.waitForRequests(count)
    held.answer(nil, FutureImage.Response(status: status))
  }

  private func urls(of fixture: LoaderFixture? = nil) -> [URL] { (fixture ?? self.fixture).held.requests.map(\.url) }

  @Test(arguments: [401, 403, 410])
  func `an expired URL is renewed once for all models that have it, and later models use the new URL`(status: Int) async throws {
    let signer = Signer(id) { _ in LoaderFixture.url("new") }
    let copies = try (0..<3).map { _ in try product("old") }
    let futures = copies.map(\.photo)
    await answer(status, at: 1)
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    for future in futures { _ = try await future.value }
    #expect(urls() == [LoaderFixture.url("old"), LoaderFixture.url("new")])
    #expect(signer.urls == [LoaderFixture.url("old")])
    #expect(futures.allSatisfy { $0.key == id })

    let later = try product("old").photo
    later.reload()
    await fixture.held.waitForRequests(3)
    #expect(urls().last == LoaderFixture.url("new"))
  }

  @Test(arguments: [404, 400, 451])
  func `a status other than 401, 403, and 410 does not cause a renewal of the URL`(status: Int) async throws {
    let signer = Signer(id) { _ in LoaderFixture.url("new") }
    let future = try product("old").photo
    await answer(status, at: 1)
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(status))
    #expect(signer.urls.isEmpty)
  }

  @Test func `if a model has another expired URL, the loader tries the new URL that is already known before it requests a renewal`()
    async throws
  {
    let signer = Signer(id) { _ in LoaderFixture.url("new") }
    let first = try product("old").photo
    await answer(403, at: 1)
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    let second = try product("older").photo
    second.reload()
    await answer(403, at: 3)
    await fixture.held.waitForRequests(4)
    #expect(urls().suffix(2) == [LoaderFixture.url("older"), LoaderFixture.url("new")])
    #expect(signer.urls.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func `a renewed URL that has also expired is renewed again`() async throws {
    let signer = Signer(id) { $0 == LoaderFixture.url("old") ? LoaderFixture.url("new") : LoaderFixture.url("newer") }
    let future = try product("old").photo
    await answer(403, at: 1)
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    future.reload()
    await answer(403, at: 3)
    await fixture.held.waitForRequests(4)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(urls() == ["old", "new", "new", "newer"].map { LoaderFixture.url($0) })
    #expect(signer.urls == [LoaderFixture.url("old"), LoaderFixture.url("new")])
  }

  @Test(arguments: [nil, "old"])
  func `a future fails with the status of its response if the renewal returns no other URL`(name: String?) async throws {
    let signer = Signer(id) { _ in name.map { LoaderFixture.url($0) } }
    let future = try product("old").photo
    await answer(403, at: 1)
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(403))
    #expect(signer.urls.count == 1)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a future fails if the server also rejects the new URL`() async throws {
    let signer = Signer(id) { _ in LoaderFixture.url("new") }
    let future = try product("old").photo
    for count in 1...2 { await answer(403, at: count) }
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .status(403))
    #expect(signer.urls.count == 1)
  }

  @Test func `if a renewal fails, the transfer's next attempt renews the URL again, unless the failure is permanent`() async throws {
    let calls = Lock(0)
    let signer = Signer(id) { _ in
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      if isFirst { throw ServerDown() }
      return LoaderFixture.url("new")
    }
    let future = try product("old").photo
    await answer(403, at: 1)
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    await answer(403, at: 2)
    await fixture.held.waitForRequests(3)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await future.value
    #expect(signer.urls.count == 2)

    let fixture = LoaderFixture()
    _ = Signer(id) { _ in throw FutureImage.Failure(.refused("nobody is logged in")) }
    let other = try product("old", in: fixture).photo
    await answer(403, at: 1, in: fixture)
    await fixture.loader.waitForIdle()
    #expect(other.failure?.reason == .refused("nobody is logged in"))
  }

  private func fixtureWithShortTimeout(_ time: EndingClock) -> LoaderFixture {
    LoaderFixture {
      $0.retry = .never
      // The test advances the clock by this timeout, which is so short that the running clock notices no suspension.
      $0.timeout = .milliseconds(500)
      $0.runningClock = RunningClock(time.manual)
    }
  }

  @Test func `a renewal that hangs times out, and does not delay other images`() async throws {
    let time = EndingClock()
    let (clock, fixture) = (time.manual, fixtureWithShortTimeout(time))
    let mayEnd = Signal()
    let signer = Signer(id) { _ in
      await mayEnd.wait()
      return nil
    }
    let hanging = try product("old", in: fixture).photo
    await answer(403, at: 1, in: fixture)
    await signer.waitForCalls()
    let other = fixture.future("other")
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await other.value
    // The sleepers are the timeout and the running clock, which watches for suspensions of the process.
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(500))
    await fixture.loader.waitForIdle()
    #expect(hanging.failure?.reason == .transport(.timedOut))
    mayEnd.send()
  }

  @Test func `a header closure that hangs times out`() async {
    let time = EndingClock()
    let (clock, fixture) = (time.manual, fixtureWithShortTimeout(time))
    let mayEnd = Signal()
    let future = FutureImage(
      .url(LoaderFixture.url(), key: "a") {
        await mayEnd.wait()
        return [:]
      }, loader: fixture.loader)
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(500))
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .transport(.timedOut))
    mayEnd.send()
  }

  @Test func `a canceled transfer does not wait for its renewal`() async throws {
    let mayEnd = Signal()
    let signer = Signer(id) { _ in
      await mayEnd.wait()
      return nil
    }
    let future = try product("old").photo
    await answer(403, at: 1)
    await signer.waitForCalls()
    future.cancel()
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .cancelled)
    mayEnd.send()
  }

  @Test func `the headers of the source are sent to the new URL`() async {
    let source = FutureImage.Source.url(LoaderFixture.url("old"), headers: ["X-App": "1"], key: "a").renewing { url, key in
      key == "a" ? LoaderFixture.url("new") : url
    }
    let future = FutureImage(source, loader: fixture.loader)
    await answer(403, at: 1)
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("new"))
    #expect(fixture.held.requests.last?.headers["X-App"] == "1")
    withExtendedLifetime(future) {}
  }

  @Test func `a renewal closure also applies to the smaller image of a source, but not to a source without a URL`() {
    let plain = FutureImage.Source.url(LoaderFixture.url("full")).onAvoidedNetworks(use: .url(LoaderFixture.url("small")))
    let renewing = plain.renewing { _, _ in nil }
    #expect(renewing.renewal != nil && renewing.smaller?.renewal != nil)
    #expect(renewing.onAvoidedNetworks(use: .url(LoaderFixture.url("tiny"))).renewal != nil)
    #expect(plain.renewal == nil && plain.smaller != nil)
    #expect(FutureImage.Source.data(key: "a") { Data() }.renewing { _, _ in nil }.renewal == nil)
  }
}
