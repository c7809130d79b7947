import Foundation
import FutureImage
import FutureImageTesting
import Testing

@Suite("HeldFetcher", .tags(.threads), .timeLimit(.minutes(5))) struct HeldFetcherTests {
  typealias Request = FutureImage.Request
  typealias Failure = FutureImage.Failure

  private let held = HeldFetcher()
  private let a = URL(fileURLWithPath: "/a")
  private let b = URL(fileURLWithPath: "/b")

  /// Starts an exchange in a task. The value of the task lists the events of the exchange.
  private func fetch(_ url: URL, limit: Int = .max) -> Task<[String], any Error> {
    Task { [held] in
      let (stream, continuation) = AsyncStream.makeStream(of: String.self)
      try await held.fetch(Request(url: url)) { event in
        switch event {
        case .response(let response): continuation.yield("\(response.status) \(response.expectedBytes ?? -1)")
        case .bytes(let data):
          guard data.count <= limit else { throw Failure(.tooLarge(limit: limit)) }
          continuation.yield(String(decoding: data, as: UTF8.self))
        }
      }
      continuation.finish()
      return await stream.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `an exchange is held until it is resolved, and then receives its response and body`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    #expect(held.requests.map(\.url) == [a])
    #expect(held.heldCount == 1)
    held.resolve(a, with: Data("body".utf8))
    #expect(held.heldCount == 0)
    #expect(try await exchange.value == ["200 4", "body"])
  }

  @Test func `resolving a URL ends only that URL's exchanges, and resolving without a URL ends all exchanges`() async throws {
    let first = fetch(a)
    try await held.waitForRequests()
    let second = fetch(b)
    try await held.waitForRequests(2)
    #expect(held.requests.map(\.url) == [a, b])
    held.resolve(b, with: Data("b".utf8))
    #expect(try await second.value == ["200 1", "b"])
    #expect(held.heldCount == 1)
    held.resolve(with: Data("all".utf8))
    #expect(try await first.value == ["200 3", "all"])
  }

  @Test func `the answer method delivers a response with an error status and no body`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.answer(nil, response(404))
    #expect(try await exchange.value == ["404 -1"])
  }

  private func response(_ status: Int) -> FutureImage.Response { FutureImage.Response(status: status) }

  @Test func `a failure is thrown to the caller of the fetch`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.fail(a, .transport(.timedOut))
    await #expect(throws: Failure(.transport(.timedOut))) { try await exchange.value }
  }

  @Test func `a body can be delivered in parts, and the exchange is held between them`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.begin(a, with: Data("one".utf8), of: 6)
    #expect(held.heldCount == 1)
    held.finish(a, with: Data("two".utf8))
    #expect(try await exchange.value == ["200 6", "one", "two"])
  }

  @Test func `an exchange fails with the error that the receiver of its events throws`() async throws {
    let exchange = fetch(a, limit: 3)
    try await held.waitForRequests()
    held.resolve(a, with: Data("long".utf8))
    await #expect(throws: Failure(.tooLarge(limit: 3))) { try await exchange.value }
  }

  @Test func `canceling the task ends the exchange at once, and the fetcher counts the cancellation`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    exchange.cancel()
    try await held.waitForCancellations()
    #expect(held.cancelledCount == 1)
    #expect(held.heldCount == 0)
    await #expect(throws: CancellationError.self) { try await exchange.value }
  }

  @Test func `a resolved exchange ignores a second resolve and a failure`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.resolve(a, with: Data("body".utf8))
    held.resolve(a, with: Data("again".utf8))
    held.fail(a)
    #expect(try await exchange.value == ["200 4", "body"])
  }

  @Test func `the fetcher does not count the cancellation of a resolved exchange`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.resolve(a, with: Data("body".utf8))
    exchange.cancel()
    _ = await exchange.result
    #expect(held.cancelledCount == 0)
  }

  @Test(
    .timeLimit(.minutes(5)))
  func `waitForRequests returns at once if the requests are already answered`() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.resolve(a, with: Data("body".utf8))
    _ = try await exchange.value
    try await held.waitForRequests()
    #expect(held.requests.count == 1)
  }

  @Test func `a loader reads the header fields of held responses regardless of the case of their names`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("HeldFetcherTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.diskCache = FutureImage.DiskCache(directory: folder, maxBytes: 1 << 20)
    let loader = FutureImage.Loader(configuration)
    let url = try #require(URL(string: "https://shop.example/a.jpg"))
    let first = FutureImage(at: url, loader: loader)
    try await held.waitForHeld()
    held.resolve(with: TestImage(width: 64, height: 48).jpeg, headers: ["Cache-Control": "max-age=0", "ETag": "\"1\""])
    _ = try await first.value
    try await loader.waitUntilIdle(within: .standard)

    // The stored image is stale, so a new future revalidates it. The 304 response makes it fresh.
    let second = FutureImage(at: url, loader: loader)
    try await held.waitForRequests(2)
    #expect(held.requests.last?.headers["If-None-Match"] == "\"1\"")
    held.answer(url, FutureImage.Response(status: 304, headers: ["Cache-Control": "max-age=3600", "ETag": "\"1\""]))
    _ = try await second.value
    try await loader.waitUntilIdle(within: .standard)
    let third = FutureImage(at: url, loader: loader)
    _ = try await third.value
    try await loader.waitUntilIdle(within: .standard)
    #expect(held.requests.count == 2)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a configuration with a held fetcher uses that fetcher and has no disk cache`() async throws {
    let configuration = FutureImage.Loader.Configuration.held(by: held)
    #expect(configuration.fetcher as? HeldFetcher === held)
    #expect(configuration.diskCache == nil)
  }
}
