/// The failures of a source since it last delivered its image, or since they were last forgotten, for example because of a reload. For a
/// while, the latest failure answers requests for the source. A permanent failure answers for a long time. A transient failure answers for
/// a short time, which grows with each further failure.
///
/// A failure may own an error of the app, and the app's clock measures its age. So code outside the lock checks the age, and releases
/// removed failures.
struct FailureMemory {
  /// A failure, and the time for which it answers requests. This is a class, because thousands of futures may share one entry.
  final class Entry: Error, Sendable {
    let failure: FutureImage.Failure
    /// Measures the age of the failure; nil if the failure never answers requests.
    private let age: Stopwatch?
    private let memory: Duration

    /// Reads the app's clock, so call it outside the lock.
    /// - Parameter memory: the time for which the failure answers requests.
    init(_ failure: FutureImage.Failure, memory: Duration, clock: any Clock<Duration>) {
      self.failure = failure
      self.memory = memory
      age = memory > .zero ? Stopwatch(clock) : nil
    }

    /// Creates an entry that never answers requests, for a failure that is worth a retry.
    init(passing failure: FutureImage.Failure) {
      self.failure = failure
      memory = .zero
      age = nil
    }

    /// Whether the failure ever answers requests.
    var answers: Bool { age != nil }

    /// Whether the failure still answers requests, so that the source must not be requested now. Reads the app's clock, so call it outside
    /// the lock.
    var holds: Bool { age.map { $0.elapsed < memory } ?? false }
  }

  /// The failure that answers requests; nil if there is none.
  private(set) var latest: Entry?
  /// The number of failures in this memory, including those that no longer answer requests.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Whether the latest failure is transient, or no failure answers requests any longer.
  var mayHavePassed: Bool { latest?.failure.isTransient ?? true }

  mutating func insert(_ remembered: Entry, _ departed: inout Departed) {
    if let latest { departed.add(object: latest) }
    latest = remembered
    count += 1
  }

  /// Stops the entry from answering requests, unless another entry has replaced it. The number of failures does not change, so the next
  /// failure answers for longer.
  mutating func end(_ remembered: Entry, _ departed: inout Departed) {
    guard latest === remembered else { return }
    departed.add(object: remembered)
    latest = nil
  }

  /// Removes all failures.
  mutating func removeAll(_ departed: inout Departed) {
    if let latest { departed.add(object: latest) }
    self = FailureMemory()
  }
}
