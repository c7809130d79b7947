import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct EventTests {
  private final class Log: Sendable {
    let isCancelled = Signal()
    private let lines = Lock<[String]>([])

    func add(_ key: String, _ event: FutureImage.Loader.Event) {
      lines.withLock { $0.append("\(key): \(event)") }
      if case .cancelled = event { isCancelled.send() }
    }
    var all: [String] { lines.withLock { $0 } }
  }

  private let log = Log()

  private func fixture(disk: FutureImage.DiskCache? = nil) -> LoaderFixture {
    LoaderFixture(disk: disk) { [log] configuration in configuration.onEvent = { log.add($0, $1) } }
  }

  /// Returns the texts of the events, without keys and digits.
  private func kinds() -> [String] {
    log.all.map { line in String(line.split(separator: ": ", maxSplits: 1).last?.filter { !$0.isNumber } ?? "") }
  }

  @Test func `events report the request, the bytes, and the pixels of an image`() async throws {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(64, 48))
    _ = try await future.value
    #expect(
      kinds() == [
        "requested https://shop.test/a.jpg", " bytes fetched in . ms", " ×  pixels decoded in . ms"
      ])
  }

  #if !canImport(CoreGraphics)
  @Test func `if part of an image is missing, the damage is reported before the decoded pixels`() async throws {
    let fixture = fixture()
    let future = fixture.future()
    // Half of the rows of this image are missing.
    await fixture.serve("a", try Data(contentsOf: EndOfDataTests.folder.appendingPathComponent("gif/rows-missing.gif")))
    _ = try await future.value
    #expect(
      log.all.suffix(2).first == "https://shop.test/a.jpg: damaged, 50 % of its pixels are missing"
        && kinds().last == " ×  pixels decoded in . ms")
  }

  @Test func `an ignored color profile is reported before the pixels`() async throws {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", try Data(contentsOf: EndOfDataTests.folder.appendingPathComponent("color/bomb.png")))
    _ = try await future.value
    #expect(
      log.all.suffix(2).first == "https://shop.test/a.jpg: color profile ignored: it is larger than 512 kilobytes"
        && kinds().last == " ×  pixels decoded in . ms")
  }
  #endif

  @Test func `bytes from a disk tier are reported as read`() async throws {
    let disk = FutureImage.DiskCache.temporary()
    let first = fixture(disk: disk)
    let future = first.future()
    await first.serve()
    let second = fixture(disk: disk)
    _ = try await second.future().value
    #expect(kinds().contains(" bytes read in . ms"))
    withExtendedLifetime(future) {}
  }

  @Test func `retries, failures, and cancellations are reported`() async {
    let fixture = fixture()
    let failing = fixture.future()
    await fixture.held.waitForRequests()
    fixture.held.fail()
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let cancelled = fixture.future("b")
    await fixture.held.waitForRequests(3)
    cancelled.cancel()
    await log.isCancelled.wait()
    let all = log.all.joined(separator: "\n")
    #expect(all.contains("will be tried again in"))
    #expect(all.contains("https://shop.test/a.jpg: failed. The image does not exist on the server (status 404); check its URL."))
    #expect(all.contains("https://shop.test/b.jpg: canceled"))
    withExtendedLifetime(failing) {}
  }

  @Test func `no event, failure, or key contains a secret of the URL`() async throws {
    let fixture = fixture()
    let url = try #require(URL(string: "https://ann:hunter2@shop.test/a.jpg?size=3&X-Amz-Signature=c0ffee&access_token=abcdef"))
    let future = FutureImage(at: url, loader: fixture.loader)
    await fixture.held.waitForRequests()
    #expect(fixture.held.requests.first?.url == url)
    let next = "https://bob:swordfish@shop.test/b.jpg?token=deadbeef"
    fixture.held.answer(nil, FutureImage.Response(status: 302, headers: ["location": next]))
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let failure = try #require(future.failure)
    let texts = log.all + [failure.description, failure.localizedDescription, "\(failure)", future.key, "\(fixture.loader.statistics)"]
    for secret in ["ann", "hunter2", "c0ffee", "abcdef", "bob", "swordfish", "deadbeef"] {
      #expect(!texts.joined().contains(secret), "\(secret)")
    }
    #expect(log.all.contains { $0.contains("size=3") })
  }

  @Test func `an app may query the loader in its event handler`() async throws {
    let loader = Lock<FutureImage.Loader?>(nil)
    let fixture = LoaderFixture { $0.onEvent = { _, _ in _ = loader.withLock { $0 }?.statistics } }
    loader.withLock { $0 = fixture.loader }
    let future = fixture.future()
    await fixture.serve()
    _ = try await future.value
    loader.withLock { $0 = nil }
  }

  /// Whether the text of an event, including its key, begins with the given text.
  private func hasEvent(beginningWith beginning: String) -> Bool { log.all.contains { $0.hasPrefix(beginning) } }

  @Test func `a confirmed image is reported as unchanged`() async {
    let fixture = fixture(disk: .temporary())
    let future = fixture.future()
    await fixture.serve("a", SampleImage.jpeg(), headers: ["etag": "\"1\""])
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    #expect(kinds().contains("unchanged"))
    withExtendedLifetime(future) {}
  }

  @Test func `events report a failed decode and a failed store in a cache`() async {
    let (fixture, tier, whole) = (fixture(), HeldTier(), SampleImage.noise(64, 48))
    tier.fill()
    let future = fixture.future(policy: .tiers(disk: tier))
    await fixture.serve("a", whole.prefix(whole.count / 2))
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    await fixture.loader.waitForIdle()
    #expect(hasEvent(beginningWith: "https://shop.test/a.jpg: a cache failed. "))
    #expect(hasEvent(beginningWith: "https://shop.test/a.jpg: failed. "))
  }

  @Test func `events report the retry of a source's closure and the decoded pixels of the image`() async throws {
    let (fixture, renditions) = (fixture(), RenditionSource())
    renditions.fail(FutureImage.Failure(.transport(.offline)))
    let future = FutureImage(renditions.source(), loader: fixture.loader)
    let waiting = Task { try await future.value }
    await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(10))
    _ = try await waiting.value
    #expect(hasEvent(beginningWith: "asset: will be tried again in "))
    #expect(hasEvent(beginningWith: "asset: 1200 × 900 pixels decoded in "))
  }

  @Test func `the failure of a source's closure is reported`() async {
    let (fixture, renditions) = (fixture(), RenditionSource())
    renditions.fail()
    let future = FutureImage(renditions.source(), loader: fixture.loader)
    await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(hasEvent(beginningWith: "asset: failed. "))
  }
}
