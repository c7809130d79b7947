import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Tests of waiting for the reloads of many futures.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReloadingManyTests {
  let fixture = LoaderFixture(disk: .temporary()) { $0.retry = .never }

  private func served(_ names: [String]) async -> [FutureImage] {
    let futures = names.map { fixture.future($0) }
    await fixture.held.waitForHeld(names.count)
    fixture.held.resolve(with: SampleImage.jpeg(), headers: ["etag": "\"1\""])
    await fixture.loader.waitForIdle()
    return futures
  }

  /// Starts the reloads, and returns when each future waits for its transfer. If a transfer ended before a future joined it, that future
  /// would start another request.
  private func reload(_ futures: [FutureImage], requests: Int) async -> Task<[FutureImage.Failure?], Never> {
    let task = Task { await futures.reload() }
    for future in futures { await waitWhile(!isAwaited(future)) }
    await fixture.held.waitForHeld(requests)
    return task
  }

  /// Waits until the reloads end. If they do not end in time, reports their state.
  private func failures(of task: Task<[FutureImage.Failure?], Never>) async throws -> [FutureImage.Failure?] {
    let failures = try await within(.seconds(120)) { await task.value }
    return try #require(
      failures, "held: \(fixture.held.heldCount) of \(fixture.held.requests.map(\.description))\n\(fixture.loader.currentInventory)")
  }

  private func isAwaited(_ future: FutureImage) -> Bool {
    future.hasReloadWaiters && future.withReader(\.isInFetch) == true
  }

  @Test func `reload returns the failure of each future after all sources have answered`() async throws {
    let futures = await served(["a", "b", "c", "d"])
    let ended = Lock(false)
    let task = await reload(futures, requests: 4)
    let watch = Task {
      _ = await task.value
      ended.withLock { $0 = true }
    }
    fixture.held.answer(LoaderFixture.url("a"), FutureImage.Response(status: 304))
    fixture.held.resolve(LoaderFixture.url("b"), with: SampleImage.jpeg(200, 100))
    fixture.held.answer(LoaderFixture.url("c"), FutureImage.Response(status: 403))
    await fixture.loader.delivered()
    #expect(!ended.withLock { $0 })
    fixture.held.fail(LoaderFixture.url("d"), .transport(.offline))
    let failures = try await failures(of: task)
    #expect(failures.map { $0?.reason } == [nil, nil, .status(403), .transport(.offline)])
    #expect(futures.allSatisfy { $0.failure == nil })
    #expect(try await futures[1].value.cgImage?.width == 200)
    await watch.value
  }

  @Test func `a reload loads a future that failed and a future that has just been created`() async throws {
    let failed = fixture.future("a")
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    let task = await reload([failed, fixture.future("b")], requests: 2)
    fixture.held.resolve(with: SampleImage.jpeg())
    #expect(try await failures(of: task) == [nil, nil])
    #expect(failed.failure == nil)
    await fixture.loader.waitForIdle()
  }

  @Test func `the reloads of several futures of one image share one request`() async throws {
    let futures = await served(["a"]) + [fixture.future("a")]
    await fixture.loader.waitForIdle()
    let requests = fixture.held.requests.count
    let task = await reload(futures, requests: 1)
    fixture.held.resolve(with: SampleImage.jpeg(200, 100))
    #expect(try await failures(of: task) == [nil, nil])
    #expect(fixture.held.requests.count == requests + 1)
  }

  @Test func `if a second reload of a future starts, code that awaits the first also awaits the second`() async throws {
    let futures = await served(["a"])
    let task = await reload(futures, requests: 1)
    futures[0].reload()
    await fixture.loader.delivered()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    #expect(try await failures(of: task).map { $0?.reason } == [.status(404)])
  }

  @Test func `canceling a future ends the wait for its reload, and canceling the waiting task ends no reload`() async throws {
    let futures = await served(["a", "b"])
    let task = await reload(futures, requests: 2)
    futures[0].cancel()
    await fixture.held.waitForCancellations()
    task.cancel()
    let failures = try await failures(of: task)
    #expect(failures.map { $0?.reason } == [.cancelled, .cancelled])
    #expect(failures[1]?.key == futures[1].key)
    #expect(fixture.held.heldCount == 1)
    fixture.held.resolve(with: SampleImage.jpeg(200, 100))
    await fixture.loader.waitForIdle()
    // A task that is canceled as soon as it exists gets the same failures.
    #expect(await Task { await futures.reload() }.cancelledAtOnce().map { $0?.reason } == [.cancelled, .cancelled])
  }

  @Test func `the size of a changed image is known when reload returns, and views show the image after its decode`() async throws {
    let futures = await served(["a"])
    let view = imageView(64)
    view.futureImage = futures[0]
    await fixture.loader.waitForIdle()
    let task = await reload(futures, requests: 1)
    fixture.held.resolve(with: SampleImage.jpeg(200, 100))
    #expect(try await failures(of: task) == [nil])
    #expect(futures[0].wholeSize == FutureImage.PixelSize(width: 200, height: 100))
    await fixture.loader.waitForIdle()
    #expect(view.image?.size == CGSize(width: 200, height: 100))
  }

  @Test func `a reload that has ended leaves no waiter in its future`() async throws {
    let futures = await served(["a"])
    let task = await reload(futures, requests: 1)
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    #expect(try await failures(of: task) == [nil])
    await fixture.loader.waitForIdle()
    #expect(!futures[0].hasReloadWaiters)
  }

  @Test func `reload returns a failure for a future without a source, and returns at once for an empty array`() async {
    #expect(await [FutureImage]().reload().isEmpty)
    #expect(await [FutureImage()].reload().map { $0?.reason.isRefused } == [true])
  }

  @Test func `the reloads of a collection begin before the calling task suspends`() async throws {
    let futures = await served(["a", "b"])
    // This call returns when the task first suspends.
    let task = Task.immediate { await futures.reload() }
    #expect(futures.allSatisfy { $0.hasReloadWaiters })
    await fixture.held.waitForHeld(2)
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    #expect(try await failures(of: task) == [nil, nil])
  }

  private struct Product: Decodable, Sendable {
    @FutureImage.FromURL var photo: FutureImage
    @FutureImage.FromURL var details: [FutureImage]
    @FutureImage.FromURL var badge: FutureImage?
  }

  private func products() throws -> [Product] {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    let rows = ["a", "b", "c"].map { name in
      let details = ["1", "2"].map { "\"\(LoaderFixture.url(name + $0))\"" }.joined(separator: ",")
      return "{\"photo\": \"\(LoaderFixture.url(name))\", \"badge\": \"\(LoaderFixture.url("badge"))\", \"details\": [\(details)]}"
    }
    return try decoder.decode([Product].self, from: Data("[\(rows.joined(separator: ","))]".utf8))
  }

  @Test func `a reload by key path requests only the images that were used`() async throws {
    let products = try products()
    let futures = [products[1].photo, products[2].details[1]]
    // A future in a wrapped array makes no request before it is used.
    futures[1].start()
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    let task = Task { await products.reload(\.photo) + products.reload(\.details) + products.reload(\.badge) }
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.map(\.url).suffix(1) == [LoaderFixture.url("b")])
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    let failures = try #require(try await within(.seconds(120)) { await task.value })
    #expect(failures.map(\.reason) == [.status(404)])
    #expect(fixture.held.requests.map(\.url).suffix(2) == [LoaderFixture.url("b"), LoaderFixture.url("c2")])
    #expect(fixture.held.requests.count == 4)
    // After the reload, properties that no code had read before still return the right futures.
    #expect(products[0].photo === products[0].photo && products[0].photo.url == LoaderFixture.url("a"))
    #expect(products[0].badge != nil && products[0].details.count == 2)
  }

  @Test(arguments: [true, false])
  func `after a feed is decoded again, a reload requests the images that the first models used`(keepsFormer: Bool) async throws {
    var former = try products()
    let view = imageView(64)
    view.futureImage = former[1].photo
    await fixture.serve("b")
    let decodedAgain = try products()
    if !keepsFormer { former = [] }
    let task = Task { await decodedAgain.reload(\.photo) }
    await fixture.held.waitForHeld()
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("b"), LoaderFixture.url("b")])
    fixture.held.resolve(with: SampleImage.jpeg(200, 100))
    #expect(try await within(.seconds(120)) { await task.value } == [])
    await fixture.loader.waitForIdle()
    #expect(decodedAgain[1].photo.wholeSize == FutureImage.PixelSize(width: 200, height: 100))
    withExtendedLifetime((former, view)) {}
  }

  @Test func `a reload of a property that was created from an empty text returns no failure`() async {
    let property = FutureImage.From<FutureImage.DefaultRecipe, FutureImage>("", loader: fixture.loader)
    _ = property.wrappedValue
    struct Row { let photo: FutureImage.From<FutureImage.DefaultRecipe, FutureImage> }
    #expect(await [Row(photo: property)].reload(\.photo.wrappedValue).isEmpty)
  }

  @Test func `a task that awaits the reloads of futures retains these futures`() async throws {
    var futures = await served(["a"])
    let task = Task { [futures] in await futures.reload() }
    await fixture.held.waitForHeld()
    futures = []
    fixture.held.answer(nil, FutureImage.Response(status: 304))
    #expect(try await failures(of: task) == [nil])
  }
}

extension Task where Failure == Never {
  fileprivate func cancelledAtOnce() async -> Success {
    cancel()
    return await value
  }
}
