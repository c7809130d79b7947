import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// What the loader does with pictures that were fresh once.
@Suite(.tags(.threads), .timeLimit(.minutes(2))) struct FreshnessLoadingTests {
  private let time = SettableDate()
  private let disk = FutureImage.DiskCache.temporary()
  private let old = Picture.jpeg(640, 480, red: 200)
  private let new = Picture.jpeg(640, 480, red: 10)

  /// A loader as after a new start of the app: only the disk remembers.
  private func shop() -> Shop {
    Shop(disk: disk) { [time] configuration in
      configuration.retry = .never
      configuration.now = { time.now }
    }
  }

  /// Stores the old picture, fresh for a minute.
  private func visit(_ headers: [String: String] = ["etag": "\"1\"", "cache-control": "max-age=60"]) async {
    let shop = shop()
    let future = shop.future()
    await shop.serve("a", old, headers: headers)
    withExtendedLifetime(future) {}
  }

  private func red(_ future: FutureImage) async throws -> Int { try #require(try await future.value.colour).red }

  @Test func `a fresh picture is shown without a request`() async throws {
    await visit()
    time.advance(seconds: 59)
    let shop = shop()
    #expect(try await red(shop.future()) > 150)
    await shop.loader.settled()
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a stale one is shown at once and asked about, and a 304 makes it fresh again`() async throws {
    await visit()
    time.advance(seconds: 61)
    let shop = shop()
    let future = shop.future()
    #expect(try await red(future) > 150)
    await shop.held.waitForHeld()
    #expect(shop.held.requests.first?.headers["If-None-Match"] == "\"1\"")
    shop.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=60"]))
    await shop.loader.settled()
    #expect(future.failure == nil)

    time.advance(seconds: 59)
    let later = self.shop()
    #expect(try await red(later.future()) > 150)
    await later.loader.settled()
    #expect(later.held.requests.isEmpty)
  }

  @MainActor @Test func `a changed picture takes the old one's place in every view`() async throws {
    await visit()
    time.advance(seconds: 61)
    let shop = shop()
    let (first, second) = (imageView(640), imageView(640))
    let models = [shop.future(), shop.future(), shop.future()]
    first.futureImage = models[0]
    second.futureImage = models[1]
    for model in models {
      #expect(try await red(model) > 150)
      await model.committed()
    }
    await shop.held.waitForHeld()
    #expect(try #require(first.image?.colour).red > 150)
    shop.held.resolve(with: new, headers: ["cache-control": "max-age=60"])
    await shop.loader.settled()
    #expect(try #require(first.image?.colour).red < 60)
    #expect(try #require(second.image?.colour).red < 60)
    #expect(shop.held.requests.count == 1)
    #expect(try await red(self.shop().future()) < 60)
    withExtendedLifetime(models) {}
  }

  @Test(arguments: [404, 503])
  func `an answer that is no picture takes nothing away, and is not asked for again at once`(status: Int) async throws {
    await visit()
    time.advance(seconds: 61)
    let shop = shop()
    let future = shop.future()
    #expect(try await red(future) > 150)
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: status))
    await shop.loader.settled()
    #expect(future.failure == nil)
    #expect(try await red(shop.future()) > 150)
    await shop.loader.settled()
    #expect(shop.held.requests.count == 1)
    time.advance(seconds: 31)
    let later = shop.future()
    await shop.held.waitForRequests(2)
    withExtendedLifetime(later) {}
  }

  @Test func `a picture in memory is asked about as well, once it is stale`() async throws {
    let shop = shop()
    let first = shop.future()
    await shop.serve("a", old, headers: ["cache-control": "max-age=60"])
    _ = try await first.value
    time.advance(seconds: 59)
    let second = shop.future()
    await shop.loader.settled()
    #expect(shop.held.requests.count == 1)
    time.advance(seconds: 2)
    let third = shop.future()
    #expect(third.image != nil)
    await shop.held.waitForRequests(2)
    shop.held.answer(nil, FutureImage.Response(status: 304, headers: ["cache-control": "max-age=60"]))
    await shop.loader.settled()
    let fourth = shop.future()
    await shop.loader.settled()
    #expect(shop.held.requests.count == 2)
    withExtendedLifetime((second, fourth)) {}
  }

  @Test func `a picture that must be asked about first is not shown before, and not sent twice`() async throws {
    await visit(["etag": "\"1\"", "cache-control": "no-cache"])
    let shop = shop()
    let future = shop.future()
    await shop.held.waitForHeld()
    #expect(future.phase.isFinal == false)
    #expect(shop.held.requests.first?.headers["If-None-Match"] == "\"1\"")
    shop.held.answer(nil, FutureImage.Response(status: 304))
    #expect(try await red(future) > 150)
    #expect(shop.loader.statistics.bytesReceived == 0)
  }

  @Test func `a picture that must be asked about first is not shown when nobody answers`() async {
    await visit(["etag": "\"1\"", "cache-control": "no-cache"])
    let shop = shop()
    let future = shop.future()
    await shop.held.waitForHeld()
    shop.held.fail(nil, .transport(.offline))
    await shop.loader.settled()
    #expect(future.failure?.reason == .transport(.offline))
  }

  @Test func `a picture that must not be stored is kept by its future alone`() async throws {
    let shop = shop()
    let future = shop.future()
    await shop.serve("a", old, headers: ["cache-control": "no-store"])
    _ = try await future.value
    shop.loader.emptyPixelPool()
    #expect(try await red(future) > 150)
    #expect(shop.held.requests.count == 1)
    #expect(await disk.count() == 0)
  }

  @Test func `what was stored goes when the new picture must not be`() async throws {
    await visit()
    time.advance(seconds: 61)
    let shop = shop()
    let future = shop.future()
    _ = try await future.value
    await shop.held.waitForHeld()
    shop.held.resolve(with: new, headers: ["cache-control": "no-store"])
    await shop.loader.settled()
    #expect(await disk.count() == 0)
    #expect(try await red(future) < 60)
  }

  @Test(arguments: [1, 2])
  func `nobody asks for a picture that nobody has any more, however often it was found stale`(times: Int) async throws {
    await visit()
    time.advance(seconds: 61)
    let shop = shop()
    var future: FutureImage? = shop.future()
    _ = try await future?.value
    await shop.held.waitForHeld()
    for _ in 1..<times { future?.revalidate() }
    future = nil
    await shop.held.waitForCancellations()
    await shop.loader.settled()
  }

  @Test func `reload while it is asked about takes the same answer`() async throws {
    await visit()
    time.advance(seconds: 61)
    let shop = shop()
    let future = shop.future()
    _ = try await future.value
    await shop.held.waitForHeld()
    future.reload()
    shop.held.resolve(with: new)
    await shop.loader.settled()
    #expect(try await red(future) < 60)
    #expect(shop.held.requests.count == 1)
  }
}
