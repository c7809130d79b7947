/// One attempt to fetch the bytes of a source. Follows redirects until the bytes are complete, or the attempt has failed.
struct Transfer: Sendable {
  enum Outcome: Sendable {
    /// - Parameter mayStore: whether a tier may store the entry, which then outlives the models that show it.
    case fetched(FutureImage.CacheEntry, mayStore: Bool)
    /// The server has confirmed the known entry. The new entry states how long it is fresh from now on.
    /// - Parameter mayStore: as for `fetched`.
    case confirmed(FutureImage.CacheEntry, mayStore: Bool)
    /// The known entry fits the request and is fresh, so no request was sent.
    case fitting(FutureImage.CacheEntry)
  }

  /// The events of an attempt that are counted and shown.
  enum Event: Sendable {
    case request(URL)
    /// The body that receives the response to the request.
    case body(Body)
    case retry
    /// The attempt failed because the process was suspended, and restarts at once.
    case resumed(FutureImage.Failure)
    case bytes(Int)
    /// The progress from 0 to 1; nil while it is unknown.
    case fraction(Double?)
  }

  typealias Preparation = @Sendable (FutureImage.Request) async throws -> FutureImage.Request

  let source: FutureImage.Source
  let configuration: FutureImage.Loader.Configuration
  /// The traits of the network, as the app sets them.
  let network: Set<FutureImage.NetworkTrait>
  /// The entry to revalidate instead of fetching the bytes again.
  var known: FutureImage.CacheEntry?
  /// The standing that the known entry has if it fits this request; nil if the fit need not be checked.
  var standingIfFitting: FutureImage.CacheEntry.Standing?
  /// Whether the app requested a reload, so that caches on the way must not answer by themselves.
  var isReload = false
  /// Reads or changes the URLs that transfers of the source received in place of expired ones.
  var withRenewedURLs: @Sendable ((inout RenewedURLs) -> URL?) -> URL? = { body in
    var urls = RenewedURLs()
    return body(&urls)
  }
  /// Calls a closure of the app that makes header fields. The closure may hang.
  var makeHeaders: @Sendable (FutureImage.Source.Headers) async throws -> [String: String] = { try await $0() }
  /// Calls a closure of the app that changes a request. The closure may hang.
  var prepare: @Sendable (Preparation, FutureImage.Request) async throws -> FutureImage.Request = { try await $0($1) }
  /// Calls a closure of the app that makes a URL. The closure may hang.
  var renew: @Sendable (FutureImage.Source.Renewal, URL) async throws -> URL? = { _, _ in nil }
  let report: @Sendable (Event) -> Void

  /// The state that one attempt passes to the next.
  struct AttemptHistory: Sendable {
    /// The number of failed attempts, counted from the last attempt that brought enough bytes.
    var failures = 0
    /// The time that the transfer has waited because the server demanded it. Such a wait does not count as a failed attempt.
    private var held = Duration.zero
    var partial: PartialBody?
    /// Whether an attempt has renewed the headers, renewed the URL, or started afresh. Each of these steps may be taken once over all
    /// attempts.
    var hasRenewedHeaders = false
    var hasRenewedURL = false
    var hasStartedAfresh = false
    /// Whether the known entry may be shown if the source does not answer.
    fileprivate(set) var mayShowKnown = false

    /// The number of bytes that an attempt must bring to restart the count of failures. For a small body, an eighth of it is enough. So a
    /// body of 64 MiB takes at most 2,048 attempts that restart the count, and an attempt that brings fewer bytes counts as another
    /// failure.
    private static let progress = 32 << 10

    /// Counts a failed attempt, unless the server has only demanded a wait.
    /// - Parameter before: the number of bytes of the body that had arrived before the attempt.
    fileprivate mutating func fail(_ failure: FutureImage.Failure, after before: Int, _ policy: FutureImage.RetryPolicy) {
      if let hold = policy.hold(after: failure), held + hold <= policy.maxRetryAfter {
        held += hold
        return
      }
      let gained = (partial?.data.count ?? 0) - before
      let enough = max(1, min(Self.progress, (partial?.response.expectedBytes ?? .max) / 8))
      failures = gained >= enough ? 1 : failures + 1
    }
  }

  /// Runs one attempt. If the failure is transient, the caller repeats the attempt with the same history.
  ///
  /// While an app is suspended, the system may close its connections, which then fail when the app resumes (Apple Developer Forums, thread
  /// 802375, calls them "defunct"). Such a failure says nothing about the server or the network. So after each suspension, the attempt
  /// restarts once, without a wait, and the failure does not count. Apple's QA1941 recommends the same for requests that may be repeated.
  func run(_ history: inout AttemptHistory) async throws(FutureImage.Failure) -> Outcome {
    let clock = configuration.runningClock
    clock.beginWatching()
    defer { clock.endWatching() }
    let before = history.partial?.data.count ?? 0
    while true {
      let suspensions = clock.suspensions
      do {
        return try await attempt(&history)
      } catch {
        let failure = failure(from: error)
        guard failure.mayBeDueToSuspension, clock.suspensions > suspensions else {
          history.fail(failure, after: before, configuration.retry)
          throw failure
        }
        report(.resumed(failure))
      }
    }
  }

  private func failure(from error: any Error) -> FutureImage.Failure {
    switch error {
    case _ where Task.isCancelled, is CancellationError: FutureImage.Failure(.cancelled).of(source)
    case let failure as FutureImage.Failure: failure.of(source)
    default:
      FutureImage.Failure(
        .transport(.other("its fetcher failed; try again later (\(error.words))")), underlying: error
      ).of(source)
    }
  }

  private func attempt(_ history: inout AttemptHistory) async throws -> Outcome {
    // If the task was canceled while it waited for a tier, or before it began, call no closure of the app and open no file.
    try Task.checkCancellation()
    switch source.origin {
    case .url(let url, let headers): return try await follow(url, with: headers, renewing: nil, &history)
    case .signed(let url, let headers): return try await follow(url, with: try await fields(madeBy: headers), renewing: headers, &history)
    case .file(let url):
      let file = FutureImage.FileFetcher(roots: configuration.fileRoots)
      return .fetched(try await exchange(FutureImage.Request(url: url), with: file, &history).entry, mayStore: true)
    case .sized:
      throw FutureImage.Failure(.refused("its source makes pixels and no bytes; use Source.data(key:_:) here"))
    case .data(let load):
      do {
        let body = Body(limit: configuration.maxBytes, now: configuration.now, report: report)
        assertNoLockIsHeld()
        try body.receive(.bytes(try await load()))
        return .fetched(try body.whole().entry, mayStore: true)
      } catch let failure as FutureImage.Failure {
        throw failure
      } catch {
        throw FutureImage.Failure(.unreadable("the closure of its source failed; check it (\(error.words))"), underlying: error)
      }
    }
  }

  private func fields(madeBy make: @escaping FutureImage.Source.Headers) async throws -> [String: String] {
    try Task.checkCancellation()
    assertNoLockIsHeld()
    do {
      return try await withTimeLimit(configuration.timeout, by: configuration.runningClock) { try await makeHeaders(make) }
    } catch {
      throw Self.failure(ofClosure: error, "the closure that makes its header fields failed; check it")
    }
  }

  /// Returns the failure for an error that a closure threw. The closure calls a server of the app, so the failure is transient, unless the
  /// error itself states otherwise.
  private static func failure(ofClosure error: any Error, _ what: String) -> FutureImage.Failure {
    if let failure = error as? FutureImage.Failure, !failure.isCancelled { return failure }
    return FutureImage.Failure(.transport(.other("\(what) (\(error.words))")), underlying: error)
  }

  /// Returns the target from which to start again after a server has refused the request; nil if there is none.
  private func renewed(
    _ start: Target, after status: Int, isAtOrigin: Bool, by make: FutureImage.Source.Headers?, _ history: inout AttemptHistory
  ) async throws -> Target? {
    var start = start
    if let make, isAtOrigin, status != 410, !history.hasRenewedHeaders {
      history.hasRenewedHeaders = true
      let headers = try await fields(madeBy: make)
      // RFC 9110, section 15.5.4: after a 403 a request is not repeated with the same credentials.
      if status == 401 || headers != start.headers {
        start.headers = headers
        return start
      }
    }
    guard let url = try await renewedURL(insteadOf: start.url, &history) else { return nil }
    history.partial = nil
    start.url = url
    return start
  }

  private func renewedURL(insteadOf url: URL, _ history: inout AttemptHistory) async throws -> URL? {
    guard let renewal = source.renewal else { return nil }
    if let known = withRenewedURLs({ $0.expire(url) }) { return known }
    guard !history.hasRenewedURL else { return nil }
    try Task.checkCancellation()
    assertNoLockIsHeld()
    do {
      let new = try await withTimeLimit(configuration.timeout, by: configuration.runningClock) { try await renew(renewal, url) }
      history.hasRenewedURL = true
      guard let new = new?.absoluteURL, new != url else { return nil }
      return withRenewedURLs { $0.renew(url, with: new) }
    } catch {
      throw Self.failure(ofClosure: error, "its recipe could not renew the URL; check it")
    }
  }

  private func follow(
    _ first: URL, with given: [String: String], renewing make: FutureImage.Source.Headers?, _ history: inout AttemptHistory
  ) async throws -> Outcome {
    let stopwatch = Stopwatch(configuration.runningClock)
    // The target of the first request. If the server refuses a request, the attempt starts again from here.
    var start = Target(url: withRenewedURLs { $0.url(insteadOf: first) } ?? first, headers: given, isAtOrigin: true)
    var target = start
    var hops: [Freshness] = []
    var selection = Selection()
    var known = known
    while true {
      let remaining = configuration.timeout - stopwatch.elapsed
      guard remaining > .zero else { throw FutureImage.Failure(.transport(.timedOut)) }
      let conditions = conditions(history, known, besides: target.headers)
      let request = FutureImage.Request(
        url: target.url, headers: configuration.fields(besides: target.headers.merging(conditions) { given, _ in given }),
        timeout: remaining, stallTimeout: configuration.stallTimeout, avoidedNetworks: configuration.avoidedNetworks)
      let asksForPart = history.partial != nil
      let hook = configuration.prepareRequest
      let prepared = if let hook { try await prepared(request, by: hook, stopwatch) } else { request }
      if hops.isEmpty, let entry = known, let key = entry.secondaryKey {
        let fits = SecondaryKey(key).fits(prepared.headers)
        if fits, standingIfFitting == .fresh { return .fitting(entry) }
        history.mayShowKnown = fits && standingIfFitting == .stale
        // An entity tag names one of the images that a server selects from. A date does not, so it is sent only if the entry fits.
        if !fits, entry.lastModified != nil {
          known?.lastModified = nil
          if conditions[FutureImage.CacheEntry.ifModifiedSince] != nil { continue }
        }
      }
      let answer: Body.Answer
      do {
        answer = try await exchange(prepared, with: fetcher(for: target.url), &history)
      } catch is Body.WrongPart {
        try startAfresh(&history)
        target = start
        continue
      }
      let response = answer.response
      selection.add(response, to: prepared.headers, isOfApp: hook != nil)
      switch response.status {
      case 304 where known?.isMeant(by: response, to: conditions) ?? false:
        return confirmed(known, by: answer, behind: hops, selection)
      case 416 where asksForPart, 304:
        try startAfresh(&history)
        target = start
      case 301, 302, 303, 307, 308:
        let hop = try Redirect.hop(from: target.url, to: response.headers["location"], count: hops.count)
        hops.append(answer.freshness)
        target = hop.isSameOrigin ? Target(url: hop.url, headers: target.headers, isAtOrigin: target.isAtOrigin) : Target(url: hop.url)
      case 401, 403, 410:
        guard let renewed = try await renewed(start, after: response.status, isAtOrigin: target.isAtOrigin, by: make, &history) else {
          throw FutureImage.Failure(.status(response.status))
        }
        report(.retry)
        start = renewed
        target = start
        hops = []
        selection = Selection()
      case 200, 201, 202, 203, 226:
        let whole = try answer.checked
        let freshness = hops.reduce(whole.freshness) { $0.behind($1) }
        let entry = selection.limit(whole.entry(freshness))
        let mayStore = freshness.mayStore
        return entry.body == known?.body ? .confirmed(entry, mayStore: mayStore) : .fetched(entry, mayStore: mayStore)
      case 204, 205: throw FutureImage.Failure(.empty)
      default:
        let wait = response.headers["retry-after"].flatMap { HTTPDate.wait($0, now: configuration.now()) }
        throw FutureImage.Failure(.status(response.status), retryAfter: wait)
      }
    }
  }

  /// Returns the request to send, after the app's hook has changed it.
  private func prepared(
    _ request: FutureImage.Request, by hook: @escaping Preparation, _ stopwatch: Stopwatch
  ) async throws -> FutureImage.Request {
    // Requests with other schemes need no server, or are refused.
    guard ["http", "https"].contains(CanonicalURL(request.url).scheme) else { return request }
    try Task.checkCancellation()
    assertNoLockIsHeld()
    var changed: FutureImage.Request
    do {
      changed = try await withTimeLimit(request.timeout, by: configuration.runningClock) { try await prepare(hook, request) }
    } catch {
      throw Self.failure(ofClosure: error, "Loader.Configuration.prepareRequest failed; check it")
    }
    guard ["http", "https"].contains(CanonicalURL(changed.url).scheme) else {
      throw FutureImage.Failure(.refused("Loader.Configuration.prepareRequest gave it a URL that is not http or https; return one that is"))
    }
    changed.timeout = min(changed.timeout, configuration.timeout - stopwatch.elapsed)
    guard changed.timeout > .zero else { throw FutureImage.Failure(.transport(.timedOut)) }
    return changed
  }

  /// - Parameter hops: the redirects that led to the answer.
  private func confirmed(
    _ known: FutureImage.CacheEntry?, by answer: Body.Answer, behind hops: [Freshness], _ selection: Selection
  ) -> Outcome {
    let headers = answer.response.headers
    let renewed = known?.renewed(headers: headers, behind: hops, requestedAt: answer.requestedAt, receivedAt: answer.receivedAt)
    let freshness = Freshness(status: 200, headers: headers, requestedAt: answer.requestedAt, receivedAt: answer.receivedAt)
    let names = known?.secondaryKey.map { SecondaryKey($0).names }
    let entry = selection.limit(renewed ?? answer.entry, known: names)
    return .confirmed(entry, mayStore: hops.reduce(freshness) { $0.behind($1) }.mayStore)
  }

  /// The URL to which redirects have led so far, and the header fields for it.
  private struct Target {
    var url: URL
    /// The source's header fields, which are not sent to another origin.
    var headers: [String: String] = [:]
    /// Whether no redirect has left the origin of the source's URL.
    var isAtOrigin = false
  }

  /// Returns the header fields that the library adds, which are sent to another origin, too.
  /// - Parameter given: the app's fields, which replace the library's.
  private func conditions(
    _ history: AttemptHistory, _ known: FutureImage.CacheEntry?, besides given: [String: String]
  ) -> [String: String] {
    let fields = conditions(history, known)
    if given.isEmpty || fields.isEmpty { return fields }
    let names = Set(given.keys.map { $0.lowercased() })
    return fields.filter { !names.contains($0.key.lowercased()) }
  }

  private func conditions(_ history: AttemptHistory, _ known: FutureImage.CacheEntry?) -> [String: String] {
    if let partial = history.partial { return partial.conditions }
    if history.hasStartedAfresh { return Self.unconditional }
    var fields: [String: String] = [:]
    fields[FutureImage.CacheEntry.ifNoneMatch] = known?.eTag
    fields[FutureImage.CacheEntry.ifModifiedSince] = known?.lastModified
    return fields.isEmpty && isReload ? Self.unconditional : fields
  }

  private static let unconditional = ["Cache-Control": "no-cache"]

  /// Starts again without any condition, after a response that does not match the request.
  private func startAfresh(_ history: inout AttemptHistory) throws(FutureImage.Failure) {
    guard !history.hasStartedAfresh else { throw FutureImage.Failure(.malformed("it is the response to another request")) }
    history.hasStartedAfresh = true
    history.partial = nil
    report(.retry)
  }

  private func fetcher(for url: URL) throws(FutureImage.Failure) -> any FutureImage.Fetcher {
    if CanonicalURL.isPlain(url) { return try webFetcher }
    let canonical = CanonicalURL(url)
    switch canonical.scheme {
    case "http", "https":
      guard !canonical.host.isEmpty else { throw FutureImage.Failure(.refused("its URL has no host; check it")) }
      return try webFetcher
    case "data": return FutureImage.DataFetcher()
    case "file": throw FutureImage.Failure(.refused("a file is read only from a file source; use Source.file(_:)"))
    case "": throw FutureImage.Failure(.refused("its URL is not absolute; give it a scheme and a host"))
    default: throw FutureImage.Failure(.refused("“\(canonical.scheme)” URLs are not fetched; use http, https or data"))
    }
  }

  private var webFetcher: any FutureImage.Fetcher {
    get throws(FutureImage.Failure) {
      guard network.isDisjoint(with: configuration.avoidedNetworks) else { throw FutureImage.Failure(.transport(.avoidedNetwork)) }
      return configuration.fetcher
    }
  }

  /// - Throws: ``Body/WrongPart`` if the server sent a part of the body that was not requested.
  private func exchange(
    _ request: FutureImage.Request, with fetcher: any FutureImage.Fetcher, _ history: inout AttemptHistory
  ) async throws -> Body.Answer {
    report(.request(request.url))
    let body = Body(limit: configuration.maxBytes, continuing: history.partial, now: configuration.now, report: report)
    report(.body(body))
    assertNoLockIsHeld()
    do {
      try await fetcher.fetch(request) { try body.receive($0) }
    } catch {
      if !Task.isCancelled, let answer = body.decided { return answer }
      history.partial = body.partial
      throw error
    }
    return try body.whole()
  }
}

extension FutureImage.Failure {
  /// Whether a transfer may fail with this failure because the process was suspended in the meantime.
  fileprivate var mayBeDueToSuspension: Bool {
    switch reason {
    case .transport(.connectionLost), .transport(.timedOut), .transport(.stalled), .transport(.truncated), .transport(.offline): true
    default: false
    }
  }
}
