import Foundation
import FutureImage

/// A fetcher that holds each exchange until the test answers it, without a server, a network, or delays.
///
///     let held = HeldFetcher()
///     let loader = FutureImage.Loader(.held(by: held))
///     let future = FutureImage(at: url, loader: loader)
///     try await held.waitForRequests()
///     held.resolve(url, with: jpeg)
///     await loader.waitUntilIdle()
///
/// Its description lists the held requests.
public final class HeldFetcher: FutureImage.Fetcher {
  fileprivate struct Held: Sendable {
    let request: FutureImage.Request
    let receive: FutureImage.Receive
    let continuation: CheckedContinuation<Result<Void, any Error>, Never>
  }

  fileprivate struct State {
    var requests: [FutureImage.Request] = []
    var held: [UInt64: Held] = [:]
    var last: UInt64 = 0
    var cancelled = 0
  }

  private struct WeakLoader {
    weak var loader: FutureImage.Loader?
  }

  private let state = Observed(State())
  /// The loaders that were created with a configuration for this fetcher.
  private let loaders = Lock<[WeakLoader]>([], rank: .testing)

  public init() {}

  public func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    let id = state.update { state in
      state.last += 1
      return state.last
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasEnded = state.update { state in
          // The request is counted and held in one step, so a test that waits for the request also finds it held.
          state.requests.append(request)
          if Task.isCancelled {
            state.cancelled += 1
            return true
          }
          state.held[id] = Held(request: request, receive: receive, continuation: continuation)
          return false
        }
        if hasEnded { continuation.resume(returning: .failure(CancellationError())) }
      }
    } onCancel: {
      Scheduling.uninterrupted { cancel(id) }
    }
    try result.get()
  }

  private func cancel(_ id: UInt64) {
    let held = state.update { state in
      let held = state.held.removeValue(forKey: id)
      if held != nil { state.cancelled += 1 }
      return held
    }
    held?.continuation.resume(returning: .failure(CancellationError()))
  }

  // MARK: Answering

  /// Answers the held exchanges of the URL with an image. If the URL is nil, answers all held exchanges. The names of header fields may
  /// have capital letters.
  public func resolve(_ url: URL? = nil, with body: Data, headers: [String: String] = [:]) {
    answer(url, FutureImage.Response(status: 200, headers: headers, expectedBytes: body.count), body)
  }

  /// Answers the held exchanges of the URL with any response. If the URL is nil, answers all held exchanges.
  public func answer(_ url: URL?, _ response: FutureImage.Response, _ body: Data = Data()) {
    for held in take(url) {
      held.continuation.resume(
        returning: Result {
          try held.receive(.response(response))
          if !body.isEmpty { try held.receive(.bytes(body)) }
        })
    }
  }

  /// Fails the held exchanges of the URL. If the URL is nil, fails all held exchanges.
  public func fail(_ url: URL? = nil, _ failure: FutureImage.Failure.Reason = .transport(.connectionLost)) {
    for held in take(url) { held.continuation.resume(returning: .failure(FutureImage.Failure(failure))) }
  }

  /// Delivers the beginning of a body and continues to hold the exchange.
  public func begin(_ url: URL? = nil, with part: Data, of total: Int, headers: [String: String] = [:]) {
    begin(url, FutureImage.Response(status: 200, headers: headers, expectedBytes: total), part)
  }

  /// Delivers any response with the beginning of its body, and continues to hold the exchange.
  public func begin(_ url: URL?, _ response: FutureImage.Response, _ part: Data) {
    handOn(url) { receive in
      try receive(.response(response))
      try receive(.bytes(part))
    }
  }

  /// Delivers more of a body and continues to hold the exchange.
  public func proceed(_ url: URL? = nil, with part: Data) {
    handOn(url) { try $0(.bytes(part)) }
  }

  /// Calls `body` with the `receive` of each held exchange of the URL. As with every fetcher, an exchange ends when its `receive` throws.
  /// For example, `receive` throws for a status without an image, because that response needs no body.
  private func handOn(_ url: URL?, _ body: (FutureImage.Receive) throws -> Void) {
    for (id, held) in state.read({ $0.held.filter { url == nil || $0.value.request.url == url } }) {
      do { try body(held.receive) } catch {
        state.update { $0.held.removeValue(forKey: id) }?.continuation.resume(returning: .failure(error))
      }
    }
  }

  /// Delivers the rest of a body and ends the exchange.
  public func finish(_ url: URL? = nil, with rest: Data) {
    for held in take(url) { held.continuation.resume(returning: Result { try held.receive(.bytes(rest)) }) }
  }

  private func take(_ url: URL?) -> [Held] {
    state.update { state in
      let taken = state.held.filter { url == nil || $0.value.request.url == url }.sorted { $0.key < $1.key }
      for (id, _) in taken { state.held[id] = nil }
      return taken.map(\.value)
    }
  }

  // MARK: Inspecting

  /// All requests so far, oldest first.
  public var requests: [FutureImage.Request] { state.read { $0.requests } }

  /// The number of held requests.
  public var heldCount: Int { state.read { $0.held.count } }

  /// The requests held now, oldest first.
  public var heldRequests: [FutureImage.Request] { state.read { $0.held.sorted { $0.key < $1.key }.map(\.value.request) } }

  /// The URLs of the requests held now, oldest first.
  var heldURLs: [URL] { heldRequests.map(\.url) }

  /// The entity tag that all held requests of a URL send in `If-None-Match`; nil if they send no tag, or different tags.
  func heldTag(of url: URL) -> String? {
    let tags = Set(heldRequests.filter { $0.url == url }.map { $0.headers["If-None-Match"] })
    return tags.count == 1 ? tags.first ?? nil : nil
  }

  /// The number of cancellations.
  public var cancelledCount: Int { state.read { $0.cancelled } }

  // MARK: Waiting

  /// Returns when `count` requests have been made in total.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForRequests(
    _ count: Int = 1, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await wait("for \(count.of("request")) in all", limit, CallSite(fileID, line)) { $0.requests.count >= count }
  }

  /// Returns when `count` requests are held.
  ///
  /// A loader runs at most 24 transfers at a time, 6 of them to one host. If held requests occupy all slots while other requests wait, this
  /// method throws before the limit passes, usually within about a second. The error names the limit to raise.
  /// - Throws: ``WaitTimedOut`` when the limit passes first or the loader cannot run `count` requests at a time, and `CancellationError`.
  public func waitForHeld(
    _ count: Int = 1, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await wait("for \(count.of("held request"))", limit, CallSite(fileID, line)) {
      $0.held.count >= count
    } unless: { [weak self] in
      self?.obstacle(to: count)
    }
  }

  /// Returns when `count` requests have been canceled in total.
  /// - Throws: ``WaitTimedOut`` when the limit passes first, and `CancellationError`.
  public func waitForCancellations(
    _ count: Int = 1, within limit: WaitLimit = .standard, fileID: StaticString = #fileID, line: UInt = #line
  ) async throws {
    try await wait("for \(count.of("canceled request"))", limit, CallSite(fileID, line)) { $0.cancelled >= count }
  }

  private func wait(
    _ what: String, _ limit: WaitLimit, _ place: CallSite, until isMet: @escaping @Sendable (State) -> Bool,
    unless obstacle: (@Sendable () -> String?)? = nil
  ) async throws {
    let isUsed = loaders.withLock { !$0.isEmpty }
    try await state.wait(LimitedWait(limit, place, what), until: isMet, insteadOf: { $0.summary }, unless: isUsed ? obstacle : nil)
  }

  // MARK: Explaining

  fileprivate func add(_ loader: FutureImage.Loader) {
    // The closure returns the loaders that still exist, because no loader may be deallocated inside the lock.
    _ = loaders.withLock { loaders -> [FutureImage.Loader] in
      let living = loaders.compactMap(\.loader) + [loader]
      loaders = living.map { WeakLoader(loader: $0) }
      return living
    }
  }

  /// Returns the reason why `count` requests cannot be held; nil if there is none. The reason is that held requests occupy all slots of the
  /// loaders while other requests wait.
  private func obstacle(to count: Int) -> String? {
    let slots = loaders.withLock { $0.compactMap(\.loader) }.map(\.slots)
    // Return nil if a started transfer has not made its request yet, or if more transfers may start.
    guard slots.allSatisfy(\.isStill), slots.reduce(0, { $0 + $1.taken }) == heldCount else { return nil }
    guard let full = slots.first(where: { $0.limit != nil }), let limit = full.limit else { return nil }
    let runs = "only \(limit.value) \(limit.isPerHost ? "to one host at a time (maxTransfersPerHost)" : "at a time (maxTransfers)")"
    let more = "\(full.waiting) more \(full.waiting == 1 ? "waits" : "wait")"
    let awaited = "\(count.of("held request")) \(count == 1 ? "is" : "are") awaited"
    return "\(awaited), but the loader runs \(runs); \(more). Raise the limit, or answer a held request. \(state.read(\.summary))"
  }
}

extension HeldFetcher: CustomStringConvertible {
  /// The number of held requests and their URLs, and the numbers of requests and cancellations so far.
  public var description: String { "HeldFetcher. \(state.read(\.summary))" }
}

extension HeldFetcher.State {
  fileprivate var summary: String {
    let urls = held.sorted { $0.key < $1.key }.map(\.value.request.url.absoluteString)
    return "Held: \(listed(urls)). Requests in all: \(listed(requests.map(\.url.absoluteString))). Canceled: \(cancelled)."
  }
}

extension FutureImage.Loader.Configuration {
  /// A configuration without a network or disk. All responses come from the fetcher.
  public static func held(by fetcher: HeldFetcher) -> Self {
    var configuration = Self()
    configuration.fetcher = fetcher
    configuration.diskCache = nil
    // A held exchange delivers no bytes on purpose. Without this line, the loader would let another transfer use its slot after a second or
    // two.
    configuration.silence = nil
    configuration.ignoreSuspensions()
    configuration.onCreation = { [weak fetcher] in fetcher?.add($0) }
    return configuration
  }
}
