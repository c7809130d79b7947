/// The queued writes to disk tiers. All loaders and caches of a process share one queue, so that what waits is bounded over all of them.
///
/// Its lock is the innermost: an owner may call it inside its own. A write begins on its caller's thread, outside this lock, and replaced
/// values are never destroyed inside it.
final class WriteBehind: Sendable {
  /// The queue of the process.
  static let shared = WriteBehind()
  /// The longest time that a write waits until its owner is quiet.
  static let longestWait = Duration.seconds(1)

  private let clock: any Clock<Duration>
  private let state = Lock(TierWrites())

  /// - Parameter clock: the clock of the bounded wait.
  init(clock: any Clock<Duration> = Scheduling.clock) {
    self.clock = clock
  }

  var use: TierWrites.Use { state.withLock { $0.use } }

  func waitingCount(_ owner: any WriteOwner) -> Int { state.withLock { $0.waitingCount(owner) } }

  /// Reserves room: see ``TierWrites/reserve(_:entries:of:)``.
  func reserve(_ bytes: Int, entries: Int = 1, of place: TierPlace) -> Bool {
    state.withLock { $0.reserve(bytes, entries: entries, of: place) }
  }

  /// Frees room that was reserved for bytes alone.
  func free(_ bytes: Int, of place: TierPlace) {
    state.withLock { $0.free(bytes, of: place) }
  }

  /// Adds a write for which room was reserved.
  func add(_ write: TierWrites.Write) {
    if state.withLock({ $0.add(write) }) { time(ObjectIdentifier(write.owner)) }
  }

  /// See ``TierWrites/isLast(_:in:)``.
  func isLast(_ owner: any WriteOwner, in place: TierPlace) -> Bool { state.withLock { $0.isLast(owner, in: place) } }

  /// Returns the writes that the owner must begin now. Call ``ended(_:)`` after each.
  func takeDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) -> [TierWrites.Write] {
    state.withLock { $0.takeDue(owner, isQuiet: isQuiet, patience: patience) }
  }

  /// Ends a write. Call it outside the owner's lock.
  func ended(_ write: TierWrites.Write) {
    var asked: [any WriteOwner] = []
    for owner in state.withLock({ $0.ended(write) }) where !asked.contains(where: { $0 === owner }) {
      asked.append(owner)
      owner.writesMayBegin()
    }
  }

  /// Creating a task enqueues it, but runs nothing.
  private func time(_ owner: ObjectIdentifier) {
    _ = Scheduling.task("the wait for quiet") { [self] in
      // This task is never canceled.
      try? await clock.sleep(for: Self.longestWait)
      state.withLock({ $0.release(owner) })?.writesMayBegin()
    }
  }
}
