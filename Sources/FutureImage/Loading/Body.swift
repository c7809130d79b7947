/// The answer to one request as it comes in: counted against the limit, kept if it may be a picture.
final class Body: Sendable {
  struct Answer {
    var response: FutureImage.Response
    var data: Data

    var entry: FutureImage.CacheEntry {
      FutureImage.CacheEntry(body: data, eTag: response.headers["etag"], lastModified: response.headers["last-modified"])
    }

    var checked: Answer {
      get throws(FutureImage.Failure) {
        guard !data.isEmpty else { throw FutureImage.Failure(.empty) }
        return self
      }
    }
  }

  private struct State {
    var response: FutureImage.Response?
    var data = Data()
    var count = 0
    var reported = 0
  }

  private let limit: Int
  private let report: @Sendable (Transfer.Event) -> Void
  private let state = Lock(State())

  init(limit: Int, report: @escaping @Sendable (Transfer.Event) -> Void) {
    self.limit = limit
    self.report = report
  }

  func receive(_ event: FutureImage.FetchEvent) throws {
    switch event {
    case .response(let response):
      state.withLock { $0.response = response }
      guard response.expectedBytes ?? 0 <= limit else { throw overflow }
      state.withLock {
        // What a server declares is not yet there: reserve no more than a usual picture.
        if isPicture(response) { $0.data.reserveCapacity(min(response.expectedBytes ?? 0, 1 << 20)) }
      }
      if isPicture(response) { report(.fraction(nil)) }
    case .bytes(let bytes):
      let (count, fraction) = state.withLock { state in
        state.count += bytes.count
        if state.count <= limit, state.response.map(isPicture) ?? true { state.data.append(bytes) }
        return (state.count, newFraction(&state))
      }
      report(.bytes(bytes.count))
      guard count <= limit else { throw overflow }
      if let fraction { report(.fraction(fraction)) }
    }
  }

  func whole() throws(FutureImage.Failure) -> Answer {
    let (response, data) = state.withLock { ($0.response, $0.data) }
    return Answer(response: response ?? FutureImage.Response(status: 200), data: data)
  }

  /// An endless page that says "not found" is a page that says "not found".
  private var overflow: FutureImage.Failure {
    let status = state.withLock { $0.response?.status ?? 200 }
    return FutureImage.Failure((400...599).contains(status) ? .status(status) : .tooLarge(limit: limit))
  }

  private func isPicture(_ response: FutureImage.Response) -> Bool { (200..<300).contains(response.status) }

  /// Only every fiftieth of the way: each is told to every future that waits.
  private func newFraction(_ state: inout State) -> Double? {
    guard let response = state.response, isPicture(response), let expected = response.expectedBytes, expected > 0 else { return nil }
    let reached = min(50, state.count * 50 / expected)
    guard reached > state.reported else { return nil }
    state.reported = reached
    return Double(reached) / 50
  }
}
