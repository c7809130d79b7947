/// Permanent failures by key, each of which answers for its source for a while.
///
/// A failure may own an error of the app's, and its age is by the app's clock. So whether it still answers is asked outside of the lock, and
/// what leaves the table is handed out.
struct Refusals: Departing {
  struct Refusal: Sendable {
    let failure: FutureImage.Failure
    /// Nil for a failure that may pass, which never answers.
    private let age: Stopwatch?
    private let memory: Duration

    /// Asks the clock: outside of the lock.
    /// - Parameter memory: how long a permanent failure answers.
    init(_ failure: FutureImage.Failure, memory: Duration, clock: any Clock<Duration>) {
      self.failure = failure
      self.memory = memory
      age = failure.mayPass ? nil : Stopwatch(clock)
    }

    /// A failure that may pass.
    init(passing failure: FutureImage.Failure) {
      self.failure = failure
      memory = .zero
      age = nil
    }

    /// Whether the source is not to be asked now. Asks the clock: outside of the lock.
    var holds: Bool { age.map { $0.elapsed < memory } ?? false }
  }

  /// Counted, to be told apart from another of the same key.
  private struct Entry {
    let refusal: Refusal
    let number: UInt64
  }

  // What is forgotten too soon costs a request.
  private var entries = MemoryCache<SourceKey, Entry>(countLimit: 512)
  private var lastNumber: UInt64 = 0
  private var departed = Departed()

  var count: Int { entries.count }

  func contains(_ key: SourceKey) -> Bool { entries.peek(key) != nil }

  /// The failure that was met last, and the number of its refusal.
  func refusal(of key: SourceKey) -> (refusal: Refusal, number: UInt64)? { entries.peek(key).map { ($0.refusal, $0.number) } }

  mutating func insert(_ refusal: Refusal, of key: SourceKey) {
    lastNumber += 1
    for entry in entries.insert(Entry(refusal: refusal, number: lastNumber), forKey: key, cost: 1) { departed.add(entry.refusal) }
  }

  /// - Parameter number: if given, only that refusal.
  mutating func remove(_ key: SourceKey, number: UInt64? = nil) {
    guard let entry = entries.peek(key), number ?? entry.number == entry.number else { return }
    if let entry = entries.removeValue(forKey: key) { departed.add(entry.refusal) }
  }

  mutating func removeAll() {
    for entry in entries.removeAll() { departed.add(entry.refusal) }
  }

  mutating func moveDeparted(to departed: inout Departed) { self.departed.move(to: &departed) }
}
