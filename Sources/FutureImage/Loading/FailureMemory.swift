/// The failures of a source since it had its image. The latest answers requests for the source for a while: a permanent one for long, a
/// transient one for a moment, which grows with each further failure.
///
/// A failure may own an error of the app's, and the app's clock measures its age. So whether it still holds is checked outside the lock,
/// and failures that are forgotten are handed out.
struct FailureMemory {
  /// A class, because thousands of futures may share one.
  final class Entry: Error, Sendable {
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

  /// The failure that answers requests; nil if none does any more.
  private(set) var latest: Entry?
  /// The number of failures since the source had its image.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// Whether the latest failure was transient, or answers no more.
  var mayHavePassed: Bool { latest?.failure.isTransient ?? true }

  mutating func insert(_ remembered: Entry, _ departed: inout Departed) {
    if let latest { departed.add(object: latest) }
    latest = remembered
    count += 1
  }

  /// Ends the answers of a refusal, unless another has followed. Its source fails for a longer time if it fails again.
  mutating func end(_ remembered: Entry, _ departed: inout Departed) {
    guard latest === remembered else { return }
    departed.add(object: remembered)
    latest = nil
  }

  /// Forgets the failures.
  mutating func removeAll(_ departed: inout Departed) {
    if let latest { departed.add(object: latest) }
    self = FailureMemory()
  }
}
