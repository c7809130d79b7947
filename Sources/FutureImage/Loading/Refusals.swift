/// Failures by key. Each answers requests for its source for a while: a permanent one for long, a transient one for a moment, which grows
/// with each further failure.
///
/// A failure may own an error of the app's, and the app's clock measures its age. So whether it still holds is checked outside the lock,
/// and failures that leave the table are handed out.
struct Refusals: Departing {
  /// A class, because thousands of futures may share one.
  final class Refusal: Error, Sendable {
    let failure: FutureImage.Failure
    /// Nil for a failure that never answers requests.
    private let age: Stopwatch?
    private let memory: Duration

    /// Reads the app's clock, so it must run outside the lock.
    /// - Parameter memory: how long the failure answers requests.
    init(_ failure: FutureImage.Failure, memory: Duration, clock: any Clock<Duration>) {
      self.failure = failure
      self.memory = memory
      age = memory > .zero ? Stopwatch(clock) : nil
    }

    /// Creates a refusal for a failure worth retrying.
    init(passing failure: FutureImage.Failure) {
      self.failure = failure
      memory = .zero
      age = nil
    }

    /// Whether the failure answers requests at all.
    var answers: Bool { age != nil }

    /// Whether the source must not be requested now. Reads the app's clock, so it must run outside the lock.
    var holds: Bool { age.map { $0.elapsed < memory } ?? false }
  }

  /// A refusal with a number that distinguishes it from others of the same key.
  private struct Entry {
    let refusal: Refusal
    let number: UInt64
    /// The number of failures since the source had its image.
    let count: Int
    /// Whether it answers no more, and is only counted.
    var isOver = false
  }

  // A refusal that is evicted too soon costs a request.
  private var entries = MemoryCache<SourceKey, Entry>(countLimit: 512)
  private var lastNumber: UInt64 = 0
  private var departed = Departed()

  var count: Int { entries.count }

  func contains(_ key: SourceKey) -> Bool { refusal(of: key) != nil }

  /// The number of failures of the key since it had its image.
  func failures(of key: SourceKey) -> Int { entries.peek(key)?.count ?? 0 }

  /// The latest refusal of the key, and its number.
  func refusal(of key: SourceKey) -> (refusal: Refusal, number: UInt64)? {
    entries.peek(key).flatMap { $0.isOver ? nil : ($0.refusal, $0.number) }
  }

  mutating func insert(_ refusal: Refusal, of key: SourceKey) {
    lastNumber += 1
    insert(Entry(refusal: refusal, number: lastNumber, count: failures(of: key) + 1), of: key)
  }

  private mutating func insert(_ entry: Entry, of key: SourceKey) {
    for entry in entries.insert(entry, forKey: key, cost: 1) { departed.add(entry.refusal) }
  }

  /// Forgets the key's failures.
  mutating func remove(_ key: SourceKey) {
    if let entry = entries.removeValue(forKey: key) { departed.add(entry.refusal) }
  }

  /// Ends the answers of a refusal. Its source fails for a longer time if it fails again.
  mutating func end(_ key: SourceKey, number: UInt64) {
    guard var entry = entries.peek(key), number == entry.number else { return }
    entry.isOver = true
    insert(entry, of: key)
  }

  mutating func removeTransient() {
    for entry in entries.removeAll(where: { _, entry in entry.refusal.failure.isTransient }) { departed.add(entry.refusal) }
  }

  mutating func removeAll() {
    for entry in entries.removeAll() { departed.add(entry.refusal) }
  }

  mutating func moveDeparted(to departed: inout Departed) { self.departed.move(to: &departed) }
}
