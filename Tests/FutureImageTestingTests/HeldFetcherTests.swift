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

  /// An exchange under way; its value is what it was told.
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

  @Test("An exchange stands still until it is resolved, and then gets response and body")
  func resolves() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    #expect(held.requests.map(\.url) == [a])
    #expect(held.heldCount == 1)
    held.resolve(a, with: Data("body".utf8))
    #expect(held.heldCount == 0)
    #expect(try await exchange.value == ["200 4", "body"])
  }

  @Test("Only exchanges of the URL are resolved; without one, all are")
  func byURL() async throws {
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

  @Test("Any response can be answered, without a body too")
  func answers() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.answer(nil, response(404))
    #expect(try await exchange.value == ["404 -1"])
  }

  private func response(_ status: Int) -> FutureImage.Response { FutureImage.Response(status: status) }

  @Test("A failure is thrown to the one who fetches")
  func fails() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.fail(a, .transport(.timedOut))
    await #expect(throws: Failure(.transport(.timedOut))) { try await exchange.value }
  }

  @Test("A body can come in parts, and is held in between")
  func parts() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.begin(a, with: Data("one".utf8), of: 6)
    #expect(held.heldCount == 1)
    held.finish(a, with: Data("two".utf8))
    #expect(try await exchange.value == ["200 6", "one", "two"])
  }

  @Test("What the receiver throws ends the exchange")
  func receiverThrows() async throws {
    let exchange = fetch(a, limit: 3)
    try await held.waitForRequests()
    held.resolve(a, with: Data("long".utf8))
    await #expect(throws: Failure(.tooLarge(limit: 3))) { try await exchange.value }
  }

  @Test("Cancelling the task ends the exchange at once, and is counted")
  func cancelled() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    exchange.cancel()
    try await held.waitForCancellations()
    #expect(held.cancelledCount == 1)
    #expect(held.heldCount == 0)
    await #expect(throws: CancellationError.self) { try await exchange.value }
  }

  @Test("An exchange that was resolved is not resolved again")
  func resolvedOnce() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.resolve(a, with: Data("body".utf8))
    held.resolve(a, with: Data("again".utf8))
    held.fail(a)
    #expect(try await exchange.value == ["200 4", "body"])
  }

  @Test("Cancelling what was resolved already is not counted")
  func cancelledTooLate() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.resolve(a, with: Data("body".utf8))
    exchange.cancel()
    _ = await exchange.result
    #expect(held.cancelledCount == 0)
  }

  @Test(
    "Waiting for requests that came and were answered already ends at once",
    .timeLimit(.minutes(5)))
  func requestsInAll() async throws {
    let exchange = fetch(a)
    try await held.waitForRequests()
    held.resolve(a, with: Data("body".utf8))
    _ = try await exchange.value
    try await held.waitForRequests()
    #expect(held.requests.count == 1)
  }

  @Test("A loader held by it fetches nothing by itself and keeps nothing on disk")
  func configuration() async throws {
    let configuration = FutureImage.Loader.Configuration.held(by: held)
    #expect(configuration.fetcher as? HeldFetcher === held)
    #expect(configuration.diskCache == nil)
  }
}
