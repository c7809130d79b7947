import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The loader's treatment of fresh and stale images.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FreshnessLoadingTests {
  let time = SettableDate()
  let disk = FutureImage.DiskCache.temporary()
  let old = SampleImage.jpeg(640, 480, red: 200)
  let new = SampleImage.jpeg(640, 480, red: 10)

  /// Returns a fixture that is like a relaunched app, in which only the disk cache has images.
  func fixture() -> LoaderFixture {
    LoaderFixture(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  /// Stores the old image in the disk cache. By default, the image is fresh for a minute.
  func visit(_ headers: [String: String] = ["etag": "\"1\"", "cache-control": "max-age=60"]) async {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", old, headers: headers)
    withExtendedLifetime(future) {}
  }

  /// Returns the red component of the future's image, which is about 200 for the old image, and about 10 for the new image.
  func red(_ future: FutureImage) async throws -> Int { try #require(try await future.value.color).red }

  @Test func `a fresh image is shown without a request`() async throws {
    await visit()
    time.advance(seconds: 59)
    let fixture = fixture()
    #expect(try await red(fixture.future()) > 150)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a stale image is shown at once and revalidated, and a 304 makes it fresh again`() async throws {
    await visit()
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    #expect(try await red(future) > 150)
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.first?.headers["If-None-Match"] == "\"1\"")
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=60"]))
    await fixture.loader.waitForIdle()
    #expect(future.failure == nil)

    time.advance(seconds: 59)
    let later = self.fixture()
    #expect(try await red(later.future()) > 150)
    await later.loader.waitForIdle()
    #expect(later.held.requests.isEmpty)
  }

  @MainActor @Test func `a changed image replaces the old image in every view`() async throws {
    await visit()
    time.advance(seconds: 61)
    let fixture = fixture()
    let (first, second) = (imageView(640), imageView(640))
    let models = [fixture.future(), fixture.future(), fixture.future()]
    first.futureImage = models[0]
    second.futureImage = models[1]
    for model in models {
      #expect(try await red(model) > 150)
      await model.committed()
    }
    await fixture.held.waitForHeld()
    #expect(try #require(first.image?.color).red > 150)
    fixture.held.resolve(with: new, headers: ["cache-control": "max-age=60"])
    await fixture.loader.waitForIdle()
    #expect(try #require(first.image?.color).red < 60)
    #expect(try #require(second.image?.color).red < 60)
    #expect(fixture.held.requests.count == 1)
    #expect(try await red(self.fixture().future()) < 60)
    withExtendedLifetime(models) {}
  }

  @Test(arguments: [403, 503])
  func `a failed revalidation leaves the image in place and is not repeated at once`(status: Int) async throws {
    await visit()
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    #expect(try await red(future) > 150)
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: status))
    await fixture.loader.waitForIdle()
    #expect(future.failure == nil)
    #expect(try await red(fixture.future()) > 150)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    // A failed revalidation may be repeated after 30 seconds.
    time.advance(seconds: 31)
    let later = fixture.future()
    await fixture.held.waitForRequests(2)
    withExtendedLifetime(later) {}
  }

  @Test func `a stale image in memory is revalidated`() async throws {
    let fixture = fixture()
    let first = fixture.future()
    await fixture.serve("a", old, headers: ["cache-control": "max-age=60", "etag": "\"1\""])
    _ = try await first.value
    time.advance(seconds: 59)
    let second = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    time.advance(seconds: 2)
    let third = fixture.future()
    #expect(third.image != nil)
    await fixture.held.waitForRequests(2)
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=60"]))
    await fixture.loader.waitForIdle()
    let fourth = fixture.future()
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 2)
    withExtendedLifetime((second, fourth)) {}
  }

  @Test func `an image that must be revalidated before use is shown only after a 304, without another download`() async throws {
    await visit(["etag": "\"1\"", "cache-control": "no-cache"])
    let fixture = fixture()
    let future = fixture.future()
    await fixture.held.waitForHeld()
    #expect(future.phase.isFinal == false)
    #expect(fixture.held.requests.first?.headers["If-None-Match"] == "\"1\"")
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    #expect(try await red(future) > 150)
    #expect(fixture.loader.statistics.bytesReceived == 0)
  }

  @Test func `an image that must be revalidated before use is not shown if the server is unreachable`() async {
    await visit(["etag": "\"1\"", "cache-control": "no-cache"])
    let fixture = fixture()
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.fail(nil, .transport(.offline))
    await fixture.loader.waitForIdle()
    #expect(future.failure?.reason == .transport(.offline))
  }

  @Test func `an image that must not be stored is retained only by its future`() async throws {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", old, headers: ["cache-control": "no-store"])
    _ = try await future.value
    await fixture.forgetPixels(of: future)
    #expect(try await red(future) > 150)
    #expect(fixture.held.requests.count == 1)
    #expect(await disk.count() == 0)
  }

  @Test func `a stored image is removed when the new image must not be stored`() async throws {
    await visit()
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    _ = try await future.value
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: new, headers: ["cache-control": "no-store"])
    await fixture.loader.waitForIdle()
    #expect(await disk.count() == 0)
    #expect(try await red(future) < 60)
  }

  @Test(arguments: [1, 2])
  func `releasing the last future cancels the revalidation, even if the revalidation was requested twice`(times: Int) async throws {
    await visit()
    time.advance(seconds: 61)
    let fixture = fixture()
    var future: FutureImage? = fixture.future()
    _ = try await future?.value
    await fixture.held.waitForHeld()
    for _ in 1..<times { future?.revalidate() }
    future = nil
    await fixture.held.waitForCancellations()
    await fixture.loader.waitForIdle()
  }

  @Test func `a reload during a revalidation uses the response to the revalidation`() async throws {
    await visit()
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    _ = try await future.value
    await fixture.held.waitForHeld()
    future.reload()
    fixture.held.resolve(with: new)
    await fixture.loader.waitForIdle()
    #expect(try await red(future) < 60)
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: No-store

  @Test(arguments: [304, 200])
  func `an unchanged image that must no longer be stored is removed from disk`(status: Int) async throws {
    await visit()
    #expect(await disk.count() == 1)
    time.advance(seconds: 61)
    let fixture = fixture()
    let future = fixture.future()
    _ = try await future.value
    await fixture.held.waitForHeld()
    let response = FutureImage.Response(status: status, headers: ["cache-control": "no-store", "etag": "\"1\""])
    fixture.held.answer(nil, response, status == 200 ? old : Data())
    await fixture.loader.waitForIdle()
    #expect(await disk.count() == 0)
    // Only the future retains the bytes.
    await fixture.forgetPixels(of: future)
    #expect(try await red(future) > 150)
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
    let later = self.fixture()
    let other = later.future()
    await later.held.waitForRequests()
    withExtendedLifetime(other) {}
  }

  @Test func `a reload removes an image from disk if the image must no longer be stored`() async throws {
    await visit()
    let fixture = fixture()
    let (future, other) = (fixture.future(), fixture.future())
    _ = try await future.value
    _ = try await other.value
    future.reload()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "no-store"]))
    await fixture.loader.waitForIdle()
    #expect(await disk.count() == 0)
    await fixture.forgetPixels(of: other)
    #expect(try await red(other) > 150)
    #expect(fixture.held.requests.count == 1)
  }

  // MARK: Images in memory that must be revalidated first

  @MainActor @Test(arguments: ["no-cache", "max-age=60, must-revalidate", "must-revalidate"])
  func `an image in memory that must be revalidated is shown by a new future only after a 304`(control: String) async throws {
    let fixture = fixture()
    let first = fixture.future()
    let view = imageView(640)
    view.futureImage = first
    await fixture.serve("a", old, headers: ["cache-control": control, "etag": "\"1\""])
    #expect(view.image?.cgImage != nil)
    if control.hasPrefix("max-age") {
      let fresh = fixture.future()
      #expect(fresh.phase.isFinal)
    }
    time.advance(seconds: 61)
    let second = fixture.future()
    let other = imageView(640)
    other.futureImage = second
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(!second.phase.isFinal)
    #expect(other.image === second)
    // A view that shows the image continues to show it.
    #expect(view.image?.cgImage != nil)
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    await fixture.loader.waitForIdle()
    #expect(other.image === view.image)
    #expect(fixture.loader.statistics.decodes == 1)
  }

  @MainActor @Test
  func `if no tier stores a no-cache image, a new future waits for a new image, and the first future also gets the new image`()
    async throws
  {
    let fixture = LoaderFixture { [time] in $0.now = { time.now } }
    let first = fixture.future()
    let view = imageView(640)
    view.futureImage = first
    await fixture.serve("a", old, headers: ["cache-control": "no-cache"])
    let second = fixture.future()
    #expect(!second.phase.isFinal)
    await fixture.serve("a", new, headers: ["cache-control": "no-cache"])
    #expect(try await red(second) < 60)
    #expect(try #require(view.image?.color).red < 60)
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `a future whose pixels were evicted decodes its image again without a revalidation`() async throws {
    let fixture = fixture()
    let future = fixture.future()
    await fixture.serve("a", old, headers: ["cache-control": "no-cache", "etag": "\"1\""])
    _ = try await future.value(fitting: .square(16))
    await fixture.forgetPixels(of: future)
    _ = try await future.value
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `after the revalidation of a no-cache image in memory has failed, a later future does not show that image`() async throws {
    let fixture = fixture()

    let first = fixture.future()
    await fixture.serve("a", old, headers: ["cache-control": "no-cache", "etag": "\"1\""])
    _ = try await first.value
    let second = fixture.future()
    await fixture.held.waitForRequests(2)
    fixture.held.fail(nil, .transport(.offline))
    await fixture.loader.waitForIdle()
    #expect(second.failure?.reason == .transport(.offline))
    let third = fixture.future()
    await fixture.held.waitForRequests(3)
    #expect(!third.phase.isFinal)
    #expect(first.failure == nil)
    #expect(try await red(first) > 150)
  }

  @Test func `an image whose bytes still wait to be stored is revalidated for a new future`() async throws {
    let fixture = fixture()
    let tier = HeldTier()
    tier.holdStores()
    let first = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: old, headers: ["cache-control": "no-cache"])
    #expect(try await red(first) > 150)
    let second = fixture.future(policy: .tiers(disk: tier))
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(with: new, headers: ["cache-control": "no-cache"])
    #expect(try await red(second) < 60)
    tier.release()
    await fixture.loader.waitForIdle()
    #expect(try await red(first) < 60)
  }
}
