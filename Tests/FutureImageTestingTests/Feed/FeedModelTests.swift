import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// The tests of a view model as an app would write them. They use only the test kit, and neither sleep nor use a network.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(20)), .repeatedInDeepRuns) struct FeedModelTests {
  private let fetcher = HeldFetcher()
  private let clock = ManualClock()
  private let model: FeedModel

  init() async {
    var configuration = FutureImage.Loader.Configuration.held(by: fetcher)
    configuration.clock = clock
    loader = FutureImage.Loader(configuration)
    let feed = Data(
      """
      [{ "title": "A", "photo": "https://feed.test/a.png" }, { "title": "B", "photo": "https://feed.test/b.png" }]
      """.utf8)
    model = FeedModel(loader: loader) { feed }
    await model.load()
  }

  private let loader: FutureImage.Loader

  private func url(_ name: String) throws -> URL { try #require(URL(string: "https://feed.test/\(name).png")) }
  private var statuses: [RowModel.Status] { model.rows.map(\.status) }

  /// Shows all rows, and returns when their requests and tasks have started.
  private func show() async throws {
    model.show()
    try await fetcher.waitForHeld(2)
    // The text occurs once for each of the two rows, so it divides the inventory into three parts.
    try await eventually("all tasks and loops have started: \(loader.inventory)") {
      loader.inventory.components(separatedBy: "1 waiter, 1 phase stream").count == 3
    }
  }

  /// Returns when the rows have made these announcements. `waitUntilIdle()` does not wait for the tasks of the rows.
  private func announced(_ texts: [[String]]) async throws {
    try await eventually("the rows announce \(texts), not \(model.rows.map(\.announcements))") { model.rows.map(\.announcements) == texts }
  }

  @Test func `rows show their images and announce that the images have loaded`() async throws {
    #expect(model.rows.map(\.title) == ["A", "B"])
    try await show()
    fetcher.resolve(try url("a"), with: TestImage(width: 30, height: 20).png)
    fetcher.resolve(try url("b"), with: TestImage(width: 50, height: 20).png)
    try await loader.waitUntilIdle(within: .standard)
    #expect(statuses == [.picture(width: 30), .picture(width: 50)])
    try await announced([["A has loaded."], ["B has loaded."]])
  }

  @Test func `a row shows the progress of its transfer`() async throws {
    try await show()
    let bytes = TestImage(width: 100, height: 80, noiseSeed: 1).png
    fetcher.begin(try url("a"), with: bytes.prefix(bytes.count / 2), of: bytes.count)
    try await eventually("half of the body has arrived, not \(statuses[0])") { [49, 50].contains { statuses[0] == .loading(percent: $0) } }
    fetcher.finish(try url("a"), with: bytes.dropFirst(bytes.count / 2))
    try await eventually("the image has arrived, not \(statuses[0])") { statuses[0] == .picture(width: 100) }
    #expect(statuses[1] == .loading(percent: nil))
  }

  @Test func `a request is retried after a temporary server error, and the row does not announce the error`() async throws {
    try await show()
    fetcher.fail(try url("a"), .status(503))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    try await fetcher.waitForRequests(3)
    fetcher.resolve(with: TestImage().png)
    try await loader.waitUntilIdle(within: .standard)
    #expect(statuses == [.picture(width: 64), .picture(width: 64)])
    try await announced([["A has loaded."], ["B has loaded."]])
  }

  @Test func `a row shows a failure, and a reload replaces the failure with the image`() async throws {
    try await show()
    fetcher.answer(try url("a"), FutureImage.Response(status: 404))
    fetcher.resolve(try url("b"), with: TestImage().png)
    try await loader.waitUntilIdle(within: .standard)
    #expect(statuses == [.failed("Tap to try again."), .picture(width: 64)])
    try await announced([["A failed to load."], ["B has loaded."]])
    model.rows[0].reload()
    try await fetcher.waitForHeld()
    fetcher.resolve(with: TestImage(width: 12, height: 12).png)
    // `phases` can deliver the image to the row before a turn of the main actor changes `phase`, which `status` reads.
    try await eventually("A is announced: \(model.rows[0].announcements), and its image has arrived: \(statuses)") {
      model.rows[0].announcements.count == 2 && statuses == [.picture(width: 12), .picture(width: 64)]
    }
    #expect(model.rows[0].announcements.last == "A has loaded.")
  }

  @Test func `after a reload, a row shows the image that has changed on the server`() async throws {
    try await show()
    fetcher.resolve(with: TestImage(color: .red).png)
    try await loader.waitUntilIdle(within: .standard)
    model.rows[1].reload()
    #expect(statuses == [.picture(width: 64), .picture(width: 64)])
    try await fetcher.waitForHeld()
    fetcher.resolve(with: TestImage(width: 99, height: 9, color: .blue).png)
    try await eventually("the new image has arrived, not \(statuses[1])") { statuses[1] == .picture(width: 99) }
    #expect(statuses[0] == .picture(width: 64))
  }

  @Test func `canceling a row cancels its request, and the row then has the status of a canceled image`() async throws {
    try await show()
    model.rows[0].cancel()
    try await fetcher.waitForCancellations()
    #expect(fetcher.heldCount == 1)
    fetcher.resolve(with: TestImage().png)
    try await loader.waitUntilIdle(within: .standard)
    #expect(statuses == [.failed("Canceled."), .picture(width: 64)])
    try await announced([[], ["B has loaded."]])
  }

  @Test func `a row that has left the screen announces its image only when shown again, and makes no new request`() async throws {
    try await show()
    model.rows[0].leave()
    fetcher.resolve(with: TestImage().png)
    try await loader.waitUntilIdle(within: .standard)
    try await announced([[], ["B has loaded."]])
    model.rows[0].show()
    try await eventually("A is announced") { model.rows[0].announcements == ["A has loaded."] }
    #expect(fetcher.requests.count == 2)
  }

  @Test func `a model whose feed cannot be decoded has an error message and no rows`() async {
    let model = FeedModel(loader: loader) { Data("[{}]".utf8) }
    await model.load()
    #expect(model.message == "The feed could not be loaded.")
    #expect(model.rows.isEmpty)
  }
}
