/// The writes of disk tiers on their way: one for all loaders and caches of a process, so that what waits is bounded over all of them.
///
/// Its lock is the innermost: an owner may call it inside of its own. What a write begins runs on the thread of its caller, outside of this
/// lock, and replaced values are never destroyed inside of it.
final class WriteBehind: Sendable {
  /// The writes of the process.
  static let shared = WriteBehind()
  /// The longest time that a write waits for its owner to be quiet.
  static let longestWait = Duration.seconds(1)

  private struct State {
    var writes = TierWrites()
    /// The owners for whose writes a timer runs.
    var timed: Set<ObjectIdentifier> = []
  }

  private let clock: any Clock<Duration>
  private let state = Lock(State())

  /// - Parameter clock: For the bounded wait.
  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  var use: TierWrites.Use { state.withLock { $0.writes.use } }

  func waitingCount(_ owner: any WriteOwner) -> Int { state.withLock { $0.writes.waitingCount(owner) } }

  /// Takes room: see ``TierWrites/reserve(_:entries:of:)``.
  func reserve(_ bytes: Int, entries: Int = 1, of place: TierPlace) -> Bool {
    state.withLock { $0.writes.reserve(bytes, entries: entries, of: place) }
  }

  /// Gives back room that was taken for bytes alone.
  func free(_ bytes: Int, of place: TierPlace) {
    state.withLock { $0.writes.free(bytes, of: place) }
  }

  /// Adds a write for which room was reserved.
  func add(_ write: TierWrites.Write) {
    let mustTime = state.withLock { state in
      state.writes.add(write)
      return state.timed.insert(ObjectIdentifier(write.owner)).inserted
    }
    if mustTime { time(write.owner) }
  }

  /// See ``TierWrites/isLast(_:in:)``.
  func isLast(_ owner: any WriteOwner, in place: TierPlace) -> Bool { state.withLock { $0.writes.isLast(owner, in: place) } }

  /// The writes that the owner is to begin now, each to be followed by ``ended(_:)``.
  func takeDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) -> [TierWrites.Write] {
    state.withLock { $0.writes.takeDue(owner, isQuiet: isQuiet, patience: patience) }
  }

  /// To be called outside of the owner's lock.
  func ended(_ write: TierWrites.Write) {
    var asked: [any WriteOwner] = []
    for owner in state.withLock({ $0.writes.ended(write) }) where !asked.contains(where: { $0 === owner }) {
      asked.append(owner)
      owner.writesMayBegin()
    }
  }

  /// To make a task is to write down, not to run.
  private func time(_ owner: any WriteOwner) {
    let id = ObjectIdentifier(owner)
    Task { [weak owner] in
      // Nobody cancels this task.
      try? await clock.sleep(for: Self.longestWait)
      let isWaiting = state.withLock { state in
        state.timed.remove(id)
        guard let owner else { return false }
        return state.writes.release(owner)
      }
      if isWaiting { owner?.writesMayBegin() }
    }
  }
}

/// A loader or a cache that has something written.
protocol WriteOwner: AnyObject, Sendable {
  /// Writes of the owner may be able to begin. Called outside of all locks.
  func writesMayBegin()
}
