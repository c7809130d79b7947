#if !canImport(CoreGraphics)
import CCurl
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// A handle of libcurl with the state of its exchange, without a fetcher.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CurlTransferTests {
  private typealias Configuration = FutureImage.CurlFetcher.Configuration

  private let time = EndingClock()
  private let clock: RunningClock

  init() async {
    clock = RunningClock(time.manual)
    // The thread of a fetcher initializes libcurl.
    let engine = CurlEngine(Configuration(proxy: .none))
    await Task(executorPreference: engine) {}.value
    engine.close()
  }

  private func makeTransfer() throws -> CurlTransfer {
    try #require(CurlTransfer(Configuration(proxy: .none), clock: clock, sockets: CurlSockets()))
  }

  @discardableResult
  private func begin(
    _ transfer: CurlTransfer, _ text: String = "http://127.0.0.1/a", timeout: Duration = .seconds(60),
    stallTimeout: Duration = .seconds(15), version: FutureImage.CurlFetcher.HTTPVersion = .http2,
    receive: @escaping FutureImage.Receive = { _ in }
  ) throws -> CurlExchange {
    let url = try #require(URL(string: text))
    let exchange = CurlExchange(FutureImage.Request(url: url, timeout: timeout, stallTimeout: stallTimeout), lines: [])
    let hasBegun = transfer.begin(exchange, calling: receive, with: Configuration(version: version, proxy: .none))
    try #require(hasBegun)
    return exchange
  }

  @Test func `the time limits of an exchange start when the exchange begins, not when its handle is created`() throws {
    let transfer = try makeTransfer()
    defer { transfer.reset() }
    time.manual.advance(by: .seconds(100))
    let start = clock.now
    try begin(transfer, timeout: .seconds(60), stallTimeout: .seconds(15))
    #expect(transfer.deadline == start.advanced(by: .seconds(15)))
    transfer.reset()
    try begin(transfer, timeout: .seconds(10), stallTimeout: .seconds(15))
    #expect(transfer.deadline == start.advanced(by: .seconds(10)))
  }

  @Test func `an exchange that waits for a file descriptor cannot stall, but fails at its total time limit`() throws {
    let transfer = try makeTransfer()
    let start = clock.now
    let exchange = try begin(transfer, timeout: .seconds(60), stallTimeout: .seconds(15))
    #expect(transfer.mayBegin)
    transfer.isPostponed = true
    #expect(transfer.deadline == start.advanced(by: .seconds(60)))
    let reason = transfer.overdue(start.advanced(by: .seconds(60))).reason
    #expect(reason == .transport(.other("the program has no file descriptor left; raise the limit, or close some")))

    time.manual.advance(by: .seconds(20))
    transfer.resume()
    #expect(!transfer.isPostponed)
    #expect(transfer.deadline == start.advanced(by: .seconds(35)))
    #expect(!transfer.beginAnew(CURLE_OK))

    transfer.isPostponed = true
    let ended = transfer.reset()
    #expect(ended === exchange)
    let hasNoTransfer = exchange.transfer == nil
    #expect(hasNoTransfer)
    #expect(!transfer.isPostponed)
  }

  @Test func `an overdue exchange without a connection fails as timed out`() throws {
    let transfer = try makeTransfer()
    defer { transfer.reset() }
    try begin(transfer)
    #expect(transfer.overdue(clock.now).reason == .transport(.timedOut))
  }

  // The codes are CURLE_GOT_NOTHING, CURLE_SEND_ERROR, and CURLE_RECV_ERROR.
  @Test(arguments: [52, 55, 56] as [UInt32])
  func `an exchange on a new connection does not begin again after a fault of that connection`(code: UInt32) throws {
    let transfer = try makeTransfer()
    defer { transfer.reset() }
    for _ in 0..<2 {
      try begin(transfer)
      #expect(!transfer.beginAnew(CURLcode(rawValue: code)))
      transfer.reset()
    }
  }

  @Test(
    arguments: [
      (.http2, "https://a.test/", true), (.http2, "HTTPS://a.test/", true), (.http2, "http://a.test/", false),
      (.http1, "https://a.test/", false)
    ] as [(FutureImage.CurlFetcher.HTTPVersion, String, Bool)])
  func `an exchange offers HTTP/2 only to https servers, and not if the configuration selects HTTP/1`(
    version: FutureImage.CurlFetcher.HTTPVersion, text: String, isOffered: Bool
  ) throws {
    let transfer = try makeTransfer()
    defer { transfer.reset() }
    try begin(transfer, text, version: version)
    #expect(transfer.isHTTP2 == isOffered)
    #expect(transfer.wasHTTP2 == isOffered)
  }

  // The codes are CURLE_HTTP2, CURLE_OUT_OF_MEMORY, CURLE_ABORTED_BY_CALLBACK, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, and
  // CURLE_TOO_LARGE. Older headers do not declare the last code.
  @Test(arguments: [16, 27, 42, 52, 55, 56, 100] as [UInt32])
  func `after faults of HTTP/2 connections, an exchange gets first its own connection, then HTTP/1, and then fails`(code: UInt32) throws {
    let transfer = try makeTransfer()
    defer { transfer.reset() }
    try begin(transfer, "https://a.test/")
    #expect(!transfer.fallBack(CURLE_COULDNT_CONNECT))
    #expect(transfer.isHTTP2)
    #expect(transfer.fallBack(CURLcode(rawValue: code)))
    #expect(transfer.isHTTP2)
    #expect(transfer.fallBack(CURLcode(rawValue: code)))
    #expect(!transfer.isHTTP2)
    #expect(transfer.wasHTTP2)
    #expect(!transfer.fallBack(CURLcode(rawValue: code)))
  }

  /// Returns whether libcurl waits for a socket. It does not wait while the transfer is paused.
  private func isWaiting(_ multi: UnsafeMutableRawPointer) -> Bool {
    var (reading, writing, failing) = (fd_set(), fd_set(), fd_set())
    var last: Int32 = -1
    curl_multi_fdset(multi, &reading, &writing, &failing, &last)
    return last >= 0
  }

  @Test func `a transfer stops receiving while too many encoded bytes wait for decoding, and then continues`() throws {
    let content = Data.pattern(3_000_000)
    let body = Gzip.stored(content)
    let server = try LoopbackServer { _ in .ok(body, headers: ["Content-Encoding": "gzip"]) }
    let received = Lock(Data())
    let transfer = try makeTransfer()
    let multi = try #require(curl_multi_init())
    defer {
      curl_multi_remove_handle(multi, transfer.easy)
      transfer.reset()
      curl_multi_cleanup(multi)
      // The connections refer to the record of the sockets, which only the transfer retains.
      withExtendedLifetime(transfer) {}
    }
    try begin(transfer, server.url("/a").absoluteString) { event in
      if case .bytes(let data) = event { received.withLock { $0 += data } }
    }
    let added = curl_multi_add_handle(multi, transfer.easy)
    try #require(added == CURLM_OK)

    var (running, code) = (Int32(0), CURLE_OK)
    curl_multi_perform(multi, &running)
    while isWaiting(multi) {
      curl_multi_poll(multi, nil, 0, 1_000, nil)
      curl_multi_perform(multi, &running)
    }
    let early = ccurl_multi_next_done(multi, &code)
    try #require(early == nil)

    var result: Result<Void, any Error>?
    while result == nil {
      result = transfer.decodePiece()
      if result != nil || transfer.isDecoding { continue }
      curl_multi_perform(multi, &running)
      if ccurl_multi_next_done(multi, &code) != nil {
        if transfer.isDecoding { transfer.endCode = code } else { result = transfer.result(code) }
      } else if !transfer.isDecoding {
        curl_multi_poll(multi, nil, 0, 1_000, nil)
      }
    }
    try result?.get()
    #expect(received.withLock { $0 } == content)
  }
}
#endif
