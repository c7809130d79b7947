/// Permanent failures by key. Each answers requests for its source for a while.
///
/// A failure may own an error of the app's, and the app's clock measures its age. So whether it still holds is checked outside the lock,
/// and failures that leave the table are handed out.
struct Refusals: Departing {
  struct Refusal: Sendable {
    let failure: FutureImage.Failure
    /// Nil for a failure worth retrying, which never answers requests.
    private let age: Stopwatch?
    private let memory: Duration

    /// Reads the app's clock, so it must run outside the lock.
    /// - Parameter memory: how long a permanent failure answers requests.
    init(_ failure: FutureImage.Failure, memory: Duration, clock: any Clock<Duration>) {
      self.failure = failure
      self.memory = memory
      age = failure.mayPass ? nil : Stopwatch(clock)
    }

    /// Creates a refusal for a failure worth retrying.
    init(passing failure: FutureImage.Failure) {
      self.failure = failure
      memory = .zero
      age = nil
    }

    /// Whether the source must not be requested now. Reads the app's clock, so it must run outside the lock.
    var holds: Bool { age.map { $0.elapsed < memory } ?? false }
  }

  /// A refusal with a number that distinguishes it from others of the same key.
  private struct Entry {
    let refusal: Refusal
    let number: UInt64
  }

  // A refusal that is evicted too soon costs a request.
  private var entries = MemoryCache<SourceKey, Entry>(countLimit: 512)
  private var lastNumber: UInt64 = 0
  private var departed = Departed()

  var count: Int { entries.count }

  func contains(_ key: SourceKey) -> Bool { entries.peek(key) != nil }

  /// The latest refusal of the key, and its number.
  func refusal(of key: SourceKey) -> (refusal: Refusal, number: UInt64)? { entries.peek(key).map { ($0.refusal, $0.number) } }

  mutating func insert(_ refusal: Refusal, of key: SourceKey) {
    lastNumber += 1
    for entry in entries.insert(Entry(refusal: refusal, number: lastNumber), forKey: key, cost: 1) { departed.add(entry.refusal) }
  }

  /// - Parameter number: if given, removes only that refusal.
  mutating func remove(_ key: SourceKey, number: UInt64? = nil) {
    guard let entry = entries.peek(key), number ?? entry.number == entry.number else { return }
    if let entry = entries.removeValue(forKey: key) { departed.add(entry.refusal) }
  }

  mutating func removeAll() {
    for entry in entries.removeAll() { departed.add(entry.refusal) }
  }

  mutating func moveDeparted(to departed: inout Departed) { self.departed.move(to: &departed) }
}
