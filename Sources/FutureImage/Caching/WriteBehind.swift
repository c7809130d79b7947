/// The writes of disk tiers on their way: one for all loaders and caches of a process, so that what waits is bounded over all of them.
///
/// Its lock is the innermost: an owner may call it inside of its own. What a write begins runs on the thread of its caller, outside of this
/// lock, and replaced values are never destroyed inside of it.
final class WriteBehind: Sendable {
  /// The writes of the process.
  static let shared = WriteBehind()
  /// The longest time that a write waits for its owner to be quiet.
  static let longestWait = Duration.seconds(1)

  private let clock: any Clock<Duration>
  private let state = Lock(TierWrites())

  /// - Parameter clock: For the bounded wait.
  init(clock: any Clock<Duration> = Scheduling.clock) {
    self.clock = clock
  }

  var use: TierWrites.Use { state.withLock { $0.use } }

  func waitingCount(_ owner: any WriteOwner) -> Int { state.withLock { $0.waitingCount(owner) } }

  /// Takes room: see ``TierWrites/reserve(_:entries:of:)``.
  func reserve(_ bytes: Int, entries: Int = 1, of place: TierPlace) -> Bool {
    state.withLock { $0.reserve(bytes, entries: entries, of: place) }
  }

  /// Gives back room that was taken for bytes alone.
  func free(_ bytes: Int, of place: TierPlace) {
    state.withLock { $0.free(bytes, of: place) }
  }

  /// Adds a write for which room was reserved.
  func add(_ write: TierWrites.Write) {
    if state.withLock({ $0.add(write) }) { time(ObjectIdentifier(write.owner)) }
  }

  /// See ``TierWrites/isLast(_:in:)``.
  func isLast(_ owner: any WriteOwner, in place: TierPlace) -> Bool { state.withLock { $0.isLast(owner, in: place) } }

  /// The writes that the owner is to begin now, each to be followed by ``ended(_:)``.
  func takeDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) -> [TierWrites.Write] {
    state.withLock { $0.takeDue(owner, isQuiet: isQuiet, patience: patience) }
  }

  /// To be called outside of the owner's lock.
  func ended(_ write: TierWrites.Write) {
    var asked: [any WriteOwner] = []
    for owner in state.withLock({ $0.ended(write) }) where !asked.contains(where: { $0 === owner }) {
      asked.append(owner)
      owner.writesMayBegin()
    }
  }

  /// To make a task is to write down, not to run.
  private func time(_ owner: ObjectIdentifier) {
    _ = Scheduling.task("the wait for quiet") { [self] in
      // Nobody cancels this task.
      try? await clock.sleep(for: Self.longestWait)
      state.withLock({ $0.release(owner) })?.writesMayBegin()
    }
  }
}

/// A loader or a cache that has something written.
protocol WriteOwner: AnyObject, Sendable {
  /// Writes of the owner may be able to begin. Called outside of all locks.
  func writesMayBegin()
}
