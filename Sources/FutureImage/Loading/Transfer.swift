/// Gets the bytes of one source: requests, redirects, retries, until they are whole or it is no use.
struct Transfer: Sendable {
  enum Outcome: Sendable {
    case fetched(FutureImage.CacheEntry)
    /// The server says that what is known still holds.
    case notModified
  }

  /// What there is to count and to show on the way.
  enum Event: Sendable {
    case request
    case retry
    case bytes(Int)
    /// From 0 to 1; nil while nobody knows.
    case fraction(Double?)
  }

  let source: FutureImage.Source
  let configuration: FutureImage.Loader.Configuration
  /// What is to be confirmed rather than fetched again.
  var known: FutureImage.CacheEntry?
  let report: @Sendable (Event) -> Void

  func run() async throws(FutureImage.Failure) -> Outcome {
    var attempt = 1
    while true {
      do {
        return try await once()
      } catch {
        let failure = failure(from: error)
        guard let delay = configuration.retry.delay(afterAttempt: attempt, failure, chance: .random(in: 0...1)) else { throw failure }
        do { try await configuration.clock.sleep(for: delay) } catch { throw FutureImage.Failure(.cancelled, source: source.key) }
        report(.retry)
        attempt += 1
      }
    }
  }

  private func failure(from error: any Error) -> FutureImage.Failure {
    switch error {
    case _ where Task.isCancelled, is CancellationError: FutureImage.Failure(.cancelled, source: source.key)
    case let failure as FutureImage.Failure: failure.of(source.key)
    default: FutureImage.Failure(.transport(.other("\(error)")), source: source.key, underlying: error)
    }
  }

  private func once() async throws -> Outcome {
    switch source.origin {
    case .url(let url, let headers): return try await follow(url, headers)
    case .signed(let url, let headers): return try await follow(url, try await madeHeaders(headers))
    case .file(let url): return .fetched(try await exchange(FutureImage.FileFetcher(), url, [:]).entry)
    case .data(let load):
      do {
        let body = Body(limit: configuration.maxBytes, report: report)
        try body.receive(.bytes(try await load()))
        return .fetched(try body.whole().entry)
      } catch let failure as FutureImage.Failure {
        throw failure
      } catch {
        throw FutureImage.Failure(.unreadable("\(error)"), underlying: error)
      }
    }
  }

  private func madeHeaders(_ make: @Sendable () async throws -> [String: String]) async throws -> [String: String] {
    do {
      return try await make()
    } catch {
      throw FutureImage.Failure(.unreadable("its headers could not be made: \(error)"), underlying: error)
    }
  }

  private func follow(_ first: URL, _ explicit: [String: String]) async throws -> Outcome {
    var url = first
    var headers = explicit
    headers["If-None-Match"] = known?.eTag
    headers["If-Modified-Since"] = known?.lastModified
    for hops in 0... {
      let answer = try await exchange(try fetcher(for: url), url, headers)
      let response = answer.response
      switch response.status {
      case 304 where known != nil: return .notModified
      case 301, 302, 303, 307, 308:
        let hop = try Redirect.hop(from: url, to: response.headers["location"], count: hops)
        url = hop.url
        if !hop.isSameOrigin { headers = [:] }
      case 200, 201, 202, 203, 226: return .fetched(try answer.checked.entry)
      case 204, 205: throw FutureImage.Failure(.empty)
      case 206, 304: throw FutureImage.Failure(.malformed("status \(response.status) answers what was not asked"))
      default:
        let wait = response.headers["retry-after"].flatMap { HTTPDate.wait($0, now: Date()) }
        throw FutureImage.Failure(.status(response.status), retryAfter: wait)
      }
    }
    throw FutureImage.Failure(.cancelled)
  }

  private func fetcher(for url: URL) throws(FutureImage.Failure) -> any FutureImage.Fetcher {
    let canonical = CanonicalURL(url)
    switch canonical.scheme {
    case "http", "https":
      guard !canonical.host.isEmpty else { throw FutureImage.Failure(.refused("its URL names no host")) }
      return configuration.fetcher
    case "data": return FutureImage.DataFetcher()
    case "file": throw FutureImage.Failure(.refused("a file is read only where the app asks for it by a file source"))
    case "": throw FutureImage.Failure(.refused("its URL is not absolute"))
    default: throw FutureImage.Failure(.refused("“\(canonical.scheme)” URLs are not allowed"))
    }
  }

  private func exchange(_ fetcher: any FutureImage.Fetcher, _ url: URL, _ headers: [String: String]) async throws -> Body.Answer {
    report(.request)
    let body = Body(limit: configuration.maxBytes, report: report)
    let request = FutureImage.Request(
      url: url, headers: headers, timeout: configuration.timeout, stallTimeout: configuration.stallTimeout,
      maxHeaderBytes: configuration.maxHeaderBytes)
    try await fetcher.fetch(request) { try body.receive($0) }
    return try body.whole()
  }
}
