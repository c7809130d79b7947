/// The response to one request as it arrives: counted against the byte limit, and retained if it may be an image.
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

    /// Returns the entry for a freshness that is known.
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

  /// The server sent another part of the body than the one that was requested.
  struct WrongPart: Error {}

  private struct State {
    var response: FutureImage.Response?
    var data = Data()
    /// The number of bytes of the whole body, if it is known.
    var total: Int?
    var isContinued = false
    var receivedAt: Date?
    var count = 0
    /// The progress at the last report, in fiftieths.
    var reported = 0
    var trailing = TrailingBytes()

    mutating func append(_ bytes: Data) {
      if trailing.areCutOff { return }
      defer { trailing.cut(&data) }
      // Most small images arrive in one piece, which need not be copied. A piece that starts elsewhere is a slice of something larger.
      if data.isEmpty, bytes.startIndex == 0, bytes.count == total {
        data = bytes
        return
      }
      // The bytes that a server declares have not arrived yet: reserve no more than a usual image needs.
      if data.isEmpty { data.reserveCapacity(min(max(total ?? 0, 0), 1 << 20)) }
      data.append(bytes)
    }
  }

  private let limit: Int
  private let beginning: PartialBody?
  private let now: @Sendable () -> Date
  private let requestedAt: Date
  private let report: @Sendable (Transfer.Event) -> Void
  private let state = Lock(State())

  /// - Parameter beginning: the bytes of an earlier attempt, which the server was asked to continue.
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
        if state.count <= limit, state.response.map(\.mayBePicture) ?? true { state.append(bytes) }
        return (state.count, newFraction(&state))
      }
      report(.bytes(bytes.count))
      guard count <= limit else { throw FutureImage.Failure(.tooLarge(limit: limit)) }
      if let fraction { report(.fraction(fraction)) }
    }
  }

  /// The number of bytes so far.
  var count: Int { state.withLock { $0.count } }

  /// The bytes so far of a body that may be an image; nil while there are none, and once all have arrived.
  var soFar: Data? {
    state.withLock { state in
      guard let response = state.response, response.mayBePicture, !state.data.isEmpty, state.data.count < state.total ?? .max else {
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
      guard response.mayBePicture else {
        // Without a body, the exchange ends by itself.
        if response.expectedBytes == 0 { return }
        throw StatusSuffices()
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

  /// - Throws: ``WrongPart`` if the part that arrived does not end where the whole body does.
  func whole() throws -> Answer {
    var state = state.withLock { $0 }
    if state.isContinued, let total = state.total, state.count != total { throw WrongPart() }
    state.trailing.finish(&state.data)
    return Answer(
      response: state.response ?? FutureImage.Response(status: 200), data: state.data, requestedAt: requestedAt,
      receivedAt: state.receivedAt ?? now())
  }

  /// The answer, if its status alone decides, whatever happened to the body; nil otherwise.
  var decided: Answer? {
    state.withLock { state in
      guard let response = state.response, !response.mayBePicture else { return nil }
      return Answer(response: response, data: Data(), requestedAt: requestedAt, receivedAt: state.receivedAt ?? now())
    }
  }

  /// The beginning of a body that broke off, if the rest can be requested.
  var partial: PartialBody? {
    state.withLock { state in
      guard let response = state.response, response.mayBePicture else { return beginning }
      return PartialBody(state.data, of: response)
    }
  }

  /// Returns progress in steps of a fiftieth, because each report goes to every waiting future.
  private func newFraction(_ state: inout State) -> Double? {
    guard let response = state.response, response.mayBePicture, let total = state.total, total > 0 else { return nil }
    let reached = min(50, state.count * 50 / total)
    guard reached > state.reported else { return nil }
    defer { state.reported = reached }
    // A body that arrives at once has ended before its progress could be seen.
    if reached == 50, state.reported == 0 { return nil }
    return Double(reached) / 50
  }
}

extension FutureImage.Response {
  /// Whether the body may be an image. Otherwise the status and the header fields are the whole answer.
  var mayBePicture: Bool {
    switch status {
    case 200, 201, 202, 203, 206, 226: true
    default: false
    }
  }
}
