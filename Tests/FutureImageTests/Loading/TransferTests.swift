import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Single attempts, with a fetcher that returns scripted answers.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct TransferTests {
  typealias Failure = FutureImage.Failure
  typealias Response = FutureImage.Response
  typealias Source = FutureImage.Source

  private struct Answer: Sendable {
    var response: Response
    var body = Data()
    /// The error that ends the exchange after the body, if any.
    var failure: Failure?
  }

  /// A fetcher that returns the next answer for each request, and then repeats the last answer.
  private final class ScriptedFetcher: FutureImage.Fetcher {
    private let answers: [Answer]
    private let meanwhile: @Sendable () -> Void
    private let log = Lock<[FutureImage.Request]>([])

    /// - Parameter meanwhile: a closure that is called before each answer.
    init(_ answers: [Answer], meanwhile: @escaping @Sendable () -> Void = {}) {
      self.answers = answers
      self.meanwhile = meanwhile
    }

    var requests: [FutureImage.Request] { log.withLock { $0 } }
    var paths: [String] { requests.map { $0.url.path() } }

    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      let count = log.withLock { log in
        log.append(request)
        return log.count
      }
      meanwhile()
      let answer = answers[min(count, answers.count) - 1]
      try receive(.response(answer.response))
      if !answer.body.isEmpty { try receive(.bytes(answer.body)) }
      if let failure = answer.failure { throw failure }
    }
  }

  private static let whole = Answer(response: Response(status: 200, expectedBytes: 3), body: Data([1, 2, 3]))

  private static func redirect(to location: String) -> Answer {
    Answer(response: Response(status: 302, headers: ["location": location]))
  }

  private let time = EndingClock()

  private func configuration(_ fetcher: ScriptedFetcher) -> FutureImage.Loader.Configuration {
    var configuration = FutureImage.Loader.Configuration.held(by: HeldFetcher())
    configuration.fetcher = fetcher
    configuration.runningClock = RunningClock(time.manual)
    return configuration
  }

  private func transfer(
    _ fetcher: ScriptedFetcher, of source: Source = .url(LoaderFixture.url()),
    change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) -> Transfer {
    var configuration = configuration(fetcher)
    change(&configuration)
    return Transfer(source: source, configuration: configuration, network: []) { _ in }
  }

  private func reason(_ transfer: Transfer) async -> Failure.Reason? {
    var history = Transfer.AttemptHistory()
    do {
      _ = try await transfer.run(&history)
      return nil
    } catch {
      return error.reason
    }
  }

  // MARK: Later requests

  @Test(arguments: [304, 206])
  func `a transfer that starts over after a redirect requests the URL of its source again`(status: Int) async throws {
    let fetcher = ScriptedFetcher([Self.redirect(to: "/b.jpg"), Answer(response: Response(status: status)), Self.whole])
    var history = Transfer.AttemptHistory()
    _ = try await transfer(fetcher).run(&history)
    #expect(fetcher.paths == ["/a.jpg", "/b.jpg", "/a.jpg"])
    #expect(fetcher.requests.map(\.headers) == [[:], [:], ["Cache-Control": "no-cache"]])
  }

  @Test func `a second request with new headers counts as a retry, and may be redirected as often as the first`() async throws {
    let redirects = Array(repeating: Self.redirect(to: "/b.jpg"), count: 6)
    let fetcher = ScriptedFetcher(redirects + [Answer(response: Response(status: 401))] + redirects + [Self.whole])
    let retries = Lock(0)
    let source = Source.url(LoaderFixture.url(), key: "a") { ["Authorization": "token"] }
    let transfer = Transfer(source: source, configuration: configuration(fetcher), network: []) { event in
      if case .retry = event { retries.withLock { $0 += 1 } }
    }
    var history = Transfer.AttemptHistory()
    _ = try await transfer.run(&history)
    #expect(fetcher.requests.count == 14)
    #expect(fetcher.requests.allSatisfy { $0.headers == ["Authorization": "token"] })
    #expect(retries.withLock { $0 } == 1)
  }

  @Test func `after a renewal, the whole body is requested from the new URL, not only the rest of the body`() async throws {
    let fetcher = ScriptedFetcher([Answer(response: Response(status: 403)), Self.whole])
    var transfer = transfer(fetcher, of: Source.url(LoaderFixture.url("old"), key: "a").renewing { _, _ in nil })
    transfer.renew = { _, _ in LoaderFixture.url("new") }
    var history = Transfer.AttemptHistory()
    history.partial = PartialBody(Data([1, 2]), of: Response(status: 200, headers: ["etag": "\"1\""]))
    _ = try await transfer.run(&history)
    #expect(fetcher.paths == ["/old.jpg", "/new.jpg"])
    #expect(fetcher.requests.map { $0.headers["Range"] } == ["bytes=2-", nil])
  }

  // MARK: Attempts

  @Test(
    arguments: [
      (8_000, 999, 3), (8_000, 1_000, 1), (nil, 32_767, 3), (nil, 32_768, 1), (1_048_576, 32_767, 3), (1_048_576, 32_768, 1), (7, 1, 1)
    ] as [(Int?, Int, Int)])
  func `a failed attempt counts as the first failure if it has received 32 KiB or an eighth of the body`(
    expected: Int?, count: Int, failures: Int
  ) async {
    let response = Response(status: 200, headers: ["etag": "\"1\""], expectedBytes: expected)
    let fetcher = ScriptedFetcher([Answer(response: response, body: Data(count: count), failure: Failure(.transport(.connectionLost)))])
    var history = Transfer.AttemptHistory()
    history.failures = 2
    do {
      _ = try await transfer(fetcher).run(&history)
      Issue.record("the attempt did not fail")
    } catch {
      #expect(error.reason == .transport(.connectionLost))
    }
    #expect(history.failures == failures)
  }

  @Test(arguments: [401, 410, 302])
  func `a transfer that is canceled when its response arrives calls no other closure of the app`(status: Int) async throws {
    let calls = Lock<[String]>([])
    let signed = Source.url(LoaderFixture.url(), key: "a") {
      calls.withLock { $0.append("headers") }
      return [:]
    }
    // With a declared length of 0, the exchange ends without an error.
    let response = Response(status: status, headers: ["location": "/b.jpg"], expectedBytes: 0)
    let fetcher = ScriptedFetcher([Answer(response: response)]) {
      withUnsafeCurrentTask { $0?.cancel() }
    }
    var transfer = transfer(fetcher, of: signed.renewing { _, _ in nil }) { configuration in
      configuration.prepareRequest = { request in
        calls.withLock { $0.append("request") }
        return request
      }
    }
    transfer.renew = { _, _ in
      calls.withLock { $0.append("URL") }
      return LoaderFixture.url("b")
    }
    let task = Task { [transfer] in
      var history = Transfer.AttemptHistory()
      _ = try await transfer.run(&history)
    }
    let failure = await #expect(throws: Failure.self) { try await task.value }
    // A closure would be called in a task of its own, which may still be about to run.
    for _ in 0..<1_000 { await Task.yield() }
    #expect(failure?.reason == .cancelled)
    #expect(calls.withLock { $0 } == ["headers", "request"])
  }

  @Test func `bytes that the closure of a source returns may be stored`() async throws {
    var history = Transfer.AttemptHistory()
    let outcome = try await transfer(ScriptedFetcher([Self.whole]), of: Source.data(key: "a") { Data([1]) }).run(&history)
    guard case .fetched(let entry, mayStore: true) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(entry.body == Data([1]))
  }

  // MARK: Time

  @Test func `a transfer makes no further request after its timeout has passed`() async {
    let clock = time.manual
    let fetcher = ScriptedFetcher([Self.redirect(to: "/b.jpg")]) { clock.advance(by: .milliseconds(500)) }
    let reason = await reason(transfer(fetcher) { $0.timeout = .milliseconds(500) })
    #expect(reason == .transport(.timedOut))
    #expect(fetcher.requests.count == 1)
  }

  /// Returns a transfer whose `prepareRequest` takes half a second, and sets the timeout of the request.
  private func transfer(_ fetcher: ScriptedFetcher, settingTimeoutTo timeout: Duration) -> Transfer {
    let clock = time.manual
    return transfer(fetcher) { configuration in
      configuration.prepareRequest = { request in
        clock.advance(by: .milliseconds(500))
        var request = request
        request.timeout = timeout
        return request
      }
    }
  }

  @Test(arguments: [(100_000, 59_500), (59_600, 59_500), (5_000, 5_000)])
  func `prepareRequest can shorten the timeout of a request, but cannot extend the timeout`(requested: Int, sent: Int) async {
    let fetcher = ScriptedFetcher([Self.whole])
    #expect(await reason(transfer(fetcher, settingTimeoutTo: .milliseconds(requested))) == nil)
    #expect(fetcher.requests.map(\.timeout) == [.milliseconds(sent)])
  }

  @Test(arguments: [0, -1]) func `a request is not sent if prepareRequest sets a timeout of zero or less`(requested: Int) async {
    let fetcher = ScriptedFetcher([Self.whole])
    #expect(await reason(transfer(fetcher, settingTimeoutTo: .milliseconds(requested))) == .transport(.timedOut))
    #expect(fetcher.requests.isEmpty)
  }

  @Test func `a data URL is read without a call of prepareRequest`() async throws {
    let calls = Lock(0)
    let url = try #require(URL(string: "data:,ab"))
    let transfer = transfer(ScriptedFetcher([Self.whole]), of: .url(url)) { configuration in
      configuration.prepareRequest = { request in
        calls.withLock { $0 += 1 }
        return request
      }
    }
    #expect(await reason(transfer) == nil)
    #expect(calls.withLock { $0 } == 0)
  }

  // MARK: Modification dates

  @Test(arguments: ["Sun, 06 Nov 1994 02:00:00 GMT", "yesterday"])
  func `an image that has a modification date but no ETag is confirmed by a 304 with the same date`(date: String) async throws {
    let fetcher = ScriptedFetcher([Answer(response: Response(status: 304, headers: ["last-modified": date]))])
    var transfer = transfer(fetcher)
    transfer.known = FutureImage.CacheEntry(body: Data([1]), eTag: nil, lastModified: date)
    var history = Transfer.AttemptHistory()
    let outcome = try await transfer.run(&history)
    guard case .confirmed(let entry, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(entry.body == Data([1]))
    #expect(fetcher.requests.map(\.headers) == [["If-Modified-Since": date]])
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 02:00:00 GMT", "yesterday"), ("yesterday", "Sun, 06 Nov 1994 02:00:00 GMT"), ("yesterday", "today")
  ])
  func `a 304 with a different modification date does not confirm the image, even if one of the dates is invalid`(
    known: String, sent: String
  )
    async throws
  {
    let fetcher = ScriptedFetcher([Answer(response: Response(status: 304, headers: ["last-modified": sent])), Self.whole])
    var transfer = transfer(fetcher)
    transfer.known = FutureImage.CacheEntry(body: Data([1]), eTag: nil, lastModified: known)
    var history = Transfer.AttemptHistory()
    let outcome = try await transfer.run(&history)
    guard case .fetched(let entry, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(entry.body == Data([1, 2, 3]))
    #expect(fetcher.requests.map(\.headers) == [["If-Modified-Since": known], ["Cache-Control": "no-cache"]])
  }
}
