/// Receives the response to one request. Counts the bytes of the body against the limit, and retains them if they may be an image.
final class Body: Sendable {
  struct Answer {
    var response: FutureImage.Response
    var data: Data
    var requestedAt: Date
    var receivedAt: Date

    var freshness: Freshness {
      Freshness(status: response.status, headers: response.headers, requestedAt: requestedAt, receivedAt: receivedAt)
    }

    var entry: FutureImage.CacheEntry { entry(freshness) }

    /// Returns the cache entry of the answer, with the given freshness.
    func entry(_ freshness: Freshness) -> FutureImage.CacheEntry {
      FutureImage.CacheEntry(body: data, headers: response.headers, freshness: freshness, receivedAt: receivedAt)
    }

    var checked: Answer {
      get throws(FutureImage.Failure) {
        guard !data.isEmpty else { throw FutureImage.Failure(.empty) }
        return self
      }
    }
  }

  /// The error if the server sends a part of the body that was not requested.
  struct WrongPart: Error {}

  private struct State {
    var response: FutureImage.Response?
    var data = Data()
    /// The number of bytes of the whole body; nil if it is unknown.
    var total: Int?
    var isContinued = false
    var receivedAt: Date?
    var count = 0
    /// The progress at the last report, in fiftieths.
    var reported = 0
    var trailing = TrailingBytes()
    /// The memory of `data`, if the server has declared that the body is large.
    private var buffer: AppendOnlyBuffer?

    mutating func append(_ bytes: Data) {
      if trailing.areCutOff { return }
      defer {
        trailing.cut(&data)
        if trailing.areCutOff { buffer = nil }
      }
      // Most small images arrive in one piece, which is retained without a copy. A piece that does not begin at index 0 is copied, because
      // it is a slice, which retains a larger buffer.
      if data.isEmpty, bytes.startIndex == 0, bytes.count == total {
        data = bytes
        return
      }
      if appendToBuffer(bytes) { return }
      // The server has only declared these bytes, so reserve no more than an ordinary image needs.
      if data.isEmpty { data.reserveCapacity(min(max(total ?? 0, 0), 1 << 20)) }
      data.append(bytes)
    }

    /// Returns false if the body has no buffer, or if the buffer has no room for the bytes because the server sends more than it declared.
    private mutating func appendToBuffer(_ bytes: Data) -> Bool {
      if buffer == nil, let total, total >= AppendOnlyBuffer.pagedCapacity, data.count < total {
        buffer = AppendOnlyBuffer(pagedCapacity: total)
        // If the response continues an interrupted body, `data` contains the beginning of the body.
        if buffer?.append(data) == false { buffer = nil }
      }
      guard let buffer else { return false }
      guard buffer.append(bytes) else {
        self.buffer = nil
        return false
      }
      data = buffer.data(0..<buffer.count)
      return true
    }
  }

  private let limit: Int
  private let beginning: PartialBody?
  private let now: @Sendable () -> Date
  private let requestedAt: Date
  private let report: @Sendable (Transfer.Event) -> Void
  private let state = Lock(State())

  /// - Parameter beginning: the bytes of an earlier attempt, if the request asks the server for the rest.
  init(
    limit: Int, continuing beginning: PartialBody? = nil, now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (Transfer.Event) -> Void
  ) {
    self.limit = limit
    self.beginning = beginning
    self.now = now
    requestedAt = now()
    self.report = report
  }

  func receive(_ event: FutureImage.FetchEvent) throws {
    switch event {
    case .response(let response): try begin(response)
    case .bytes(let bytes):
      let (count, fraction) = state.withLock { state in
        state.count += bytes.count
        if state.count <= limit, state.response.map(\.mayBeImage) ?? true { state.append(bytes) }
        return (state.count, newFraction(&state))
      }
      report(.bytes(bytes.count))
      guard count <= limit else { throw FutureImage.Failure(.tooLarge(limit: limit)) }
      if let fraction { report(.fraction(fraction)) }
    }
  }

  /// The number of bytes of the body that have arrived so far.
  var count: Int { state.withLock { $0.count } }

  /// The bytes that have arrived so far, if they may be an image. Nil before the first bytes arrive. If the length of the body is known,
  /// also nil after all bytes have arrived.
  var soFar: Data? {
    state.withLock { state in
      guard let response = state.response, response.mayBeImage, !state.data.isEmpty, state.data.count < state.total ?? .max else {
        return nil
      }
      return state.data
    }
  }

  private func begin(_ response: FutureImage.Response) throws {
    let receivedAt = now()
    state.withLock { $0.receivedAt = receivedAt }
    guard response.status == 206 else {
      state.withLock {
        $0.response = response
        $0.total = response.expectedBytes
      }
      guard response.mayBeImage else {
        // If the response declares an empty body, the exchange ends without this error.
        if response.expectedBytes == 0 { return }
        throw BodyNotNeeded()
      }
      guard response.expectedBytes ?? 0 <= limit else { throw FutureImage.Failure(.tooLarge(limit: limit)) }
      return report(.fraction(nil))
    }
    guard let beginning, let total = beginning.total(continuedBy: response) else { throw WrongPart() }
    state.withLock { state in
      state.response = beginning.response
      state.data = beginning.data
      state.count = beginning.data.count
      state.total = total
      state.isContinued = true
    }
    guard total ?? 0 <= limit else { throw FutureImage.Failure(.tooLarge(limit: limit)) }
    report(.fraction(nil))
  }

  /// Returns the answer with its whole body, after the exchange has ended.
  /// - Throws: ``WrongPart`` if the received part does not end where the whole body ends.
  func whole() throws -> Answer {
    var state = state.withLock { $0 }
    if state.isContinued, let total = state.total, state.count != total { throw WrongPart() }
    state.trailing.finish(&state.data)
    return Answer(
      response: state.response ?? FutureImage.Response(status: 200), data: state.data, requestedAt: requestedAt,
      receivedAt: state.receivedAt ?? now())
  }

  /// The answer without its body, if the status rules out an image; nil otherwise. It is available even if the exchange failed.
  var decided: Answer? {
    state.withLock { state in
      guard let response = state.response, !response.mayBeImage else { return nil }
      return Answer(response: response, data: Data(), requestedAt: requestedAt, receivedAt: state.receivedAt ?? now())
    }
  }

  /// The beginning of an interrupted body, if the rest can be requested.
  var partial: PartialBody? {
    state.withLock { state in
      guard let response = state.response, response.mayBeImage else { return beginning }
      return PartialBody(state.data, of: response)
    }
  }

  /// Returns the progress if it has reached another fiftieth; otherwise nil, because each report goes to every waiting future.
  private func newFraction(_ state: inout State) -> Double? {
    guard let response = state.response, response.mayBeImage, let total = state.total, total > 0 else { return nil }
    let reached = min(50, state.count * 50 / total)
    guard reached > state.reported else { return nil }
    defer { state.reported = reached }
    // If the whole body arrives at once, the transfer ends before its progress could be seen.
    if reached == 50, state.reported == 0 { return nil }
    return Double(reached) / 50
  }
}

extension FutureImage.Response {
  /// Whether the body may be an image. If not, the status and the header fields are the whole answer.
  var mayBeImage: Bool {
    switch status {
    case 200, 201, 202, 203, 206, 226: true
    default: false
    }
  }
}
