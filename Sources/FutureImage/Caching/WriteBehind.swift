/// A queue of the changes to disk tiers. It also makes the changes. All loaders and caches of a process share one queue, so that the total
/// of all waiting changes is bounded.
///
/// The lock of the queue is the innermost lock, so an owner may call the queue inside its own lock. A write begins outside the queue's
/// lock, and values that leave the queue are released outside all locks.
package final class WriteBehind: Sendable {
  /// The queue of the process.
  static let shared = WriteBehind()
  /// The longest time for which a write waits until its owner is quiet, which means that the owner has no work for which requests wait.
  static let longestWait = Duration.seconds(1)

  private let clock: any Clock<Duration>
  private let state = Lock(TierWrites())

  /// - Parameter clock: the clock that measures ``longestWait``.
  init(clock: any Clock<Duration> = Scheduling.clock) {
    self.clock = clock
  }

  var use: WriteRoom.Use { state.withLock { $0.use } }

  /// Returns the number of the owner's changes that have not ended. `waitingCount(of:)` returns the number of changes that have not begun.
  package func count(of owner: any WriteOwner) -> Int { state.withLock { $0.count(of: owner) } }
  func waitingCount(of owner: any WriteOwner) -> Int { state.withLock { $0.waitingCount(of: owner) } }

  // MARK: Changing

  /// Adds a change: see ``TierWrites/add(_:)``. The change begins with a later call of ``beginDue(_:isQuiet:patience:)``.
  package func add(_ write: TierWrites.Write) -> TierWrites.Added {
    let added = state.withLock { $0.add(write) }
    if added.mustTime { time(ObjectIdentifier(write.owner)) }
    return added
  }

  /// Removes a value that waits or is being stored: see ``TierWrites/withdraw(_:in:by:)``.
  func withdraw(_ key: String, in name: String, by owner: any WriteOwner) -> TierWrites.Added {
    let added = state.withLock { $0.withdraw(key, in: name, by: owner) }
    if added.mustTime { time(ObjectIdentifier(owner)) }
    return added
  }

  /// Permits the owner's writes to begin after the longest wait. This method may be called inside a lock, because creating a task enqueues
  /// it, but runs nothing.
  private func time(_ owner: ObjectIdentifier) {
    _ = Scheduling.task("the wait for quiet") { [self] in
      // The task is never canceled, so the sleep does not throw.
      try? await clock.sleep(for: Self.longestWait)
      state.withLock({ $0.release(owner) })?.writesMayBegin()
    }
  }

  // MARK: Reading

  /// Returns the result of reading a key, as far as it is known without reading the tier.
  package func known(_ key: String, in tier: any FutureImage.DiskTier) -> TierWrites.Known {
    // Computing the location of a tier takes longer than the rest of this method.
    if state.withLock({ $0.hidesNothing && $0.isEmpty }) { return .unknown }
    return known(key, in: tier.location)
  }

  /// Whether the tier has no entry for the key: see ``TierWrites/isMissing(_:in:)``.
  func isMissing(_ key: String, in tier: any FutureImage.DiskTier) -> Bool {
    // This method is called for every new future, and nearly always nothing is hidden.
    if state.withLock({ $0.hidesNothing }) { return false }
    let location = tier.location
    return state.withLock { $0.isMissing(key, in: location) }
  }

  /// Returns the result of reading a key, as far as it is known without reading the tier. A caller inside a lock must return the result
  /// from the lock, because the result may be the last to retain a value.
  package func known(_ key: String, in location: TierLocation) -> TierWrites.Known { state.withLock { $0.known(key, in: location) } }

  /// Returns the entry that the tier has, or is about to have.
  func entry(forKey key: String, in tier: any FutureImage.DiskTier) async throws -> FutureImage.CacheEntry? {
    switch known(key, in: tier) {
    // Race: an image of the app that is confirmed by the tag of the former image.
    case .value(let value): try await value.encode()
    case .missing: nil
    case .unknown: try await tier.entry(forKey: key)
    }
  }

  /// The blocking form of ``entry(forKey:in:)``, called on a thread of the tier.
  func waitForEntry(forKey key: String, in tier: any BlockingTier) throws -> FutureImage.CacheEntry? {
    switch known(key, in: tier) {
    case .value(let value) where value.entry != nil: value.entry
    case .missing: nil
    case .value, .unknown: try tier.waitForEntry(forKey: key)
    }
  }

  package func keys(of owner: any WriteOwner, in group: String) -> Set<String> { state.withLock { $0.keys(of: owner, in: group) } }

  /// Returns when no write of the location waits or runs.
  package func written(_ location: TierLocation) async {
    await withCheckedContinuation { waiter in
      if !state.withLock({ $0.await(location, waiter) }) { waiter.resume() }
    }
  }

  /// Returns when no write of the owner waits or runs.
  package func written(by owner: any WriteOwner) async {
    await withCheckedContinuation { waiter in
      if !state.withLock({ $0.await(owner, waiter) }) { waiter.resume() }
    }
  }

  // MARK: Making

  /// Begins the owner's writes that are due. Each write runs in a task, or on a thread of its tier if the tier has its own threads. On such
  /// a thread, consecutive writes need no change of thread.
  package func beginDue(_ owner: any WriteOwner, isQuiet: Bool, patience: Int = .max) {
    for write in state.withLock({ $0.takeDue(owner, isQuiet: isQuiet, patience: patience) }) {
      if let tier = write.tier as? any BlockingTier, !write.mustEncode {
        tier.writers.submit(lane: write.location.group) { self.make(write, waitingFor: tier) }
      } else {
        _ = Scheduling.task("a write") { await self.make(write) }
      }
    }
  }

  private func make(_ write: TierWrites.Write) async {
    let failure = await caught { try await write.make() }
    var isDone = failure == nil
    if let failure, mustRemove(write, after: failure) {
      let failure = await caught { try await write.tier.remove(forKey: write.key) }
      if let failure { write.owner.failed(write, with: failure) }
      isDone = failure == nil
    }
    end(write, hasSucceeded: failure == nil, isDone: isDone)
  }

  private func make(_ write: TierWrites.Write, waitingFor tier: any BlockingTier) {
    let failure = caught { try write.make(waitingFor: tier) }
    var isDone = failure == nil
    if let failure, mustRemove(write, after: failure) {
      let failure = caught { try tier.waitForRemoval(forKey: write.key) }
      if let failure { write.owner.failed(write, with: failure) }
      isDone = failure == nil
    }
    end(write, hasSucceeded: failure == nil, isDone: isDone)
  }

  /// Reports a failure, and returns whether the tier's earlier entry must be removed, so that it is not found anymore.
  ///
  /// If a locked device denied the write, the tier retains its earlier entry. That entry may be the same value, which cannot be read while
  /// the device is locked. But if the change replaces the value, the earlier entry is removed.
  private func mustRemove(_ write: TierWrites.Write, after failure: any Error) -> Bool {
    write.owner.failed(write, with: failure)
    return write.change.isStore && (!failure.isDenied || write.change.replaces)
  }

  private func end(_ write: TierWrites.Write, hasSucceeded: Bool, isDone: Bool) {
    // The owner is notified before the next call, because after that call, the owner may learn that nothing is left to write.
    write.owner.ended(write, hasSucceeded: hasSucceeded)
    let ended = state.withLock { $0.ended(write, isDone: isDone) }
    for waiter in ended.waiters { waiter.resume() }
    var asked: [any WriteOwner] = []
    for owner in [write.owner] + ended.owners where !asked.contains(where: { $0 === owner }) {
      asked.append(owner)
      owner.writesMayBegin()
    }
  }
}

extension TierWrites.Write {
  fileprivate var mustEncode: Bool { if case .store(let value) = change { value.entry == nil } else { false } }

  fileprivate func make() async throws {
    switch change {
    case .store(let value): try await tier.store(try await value.encode(), forKey: key)
    case .remove: try await tier.remove(forKey: key)
    case .removeBytes(let bytes): if try await tier.entry(forKey: key)?.body == bytes { try await tier.remove(forKey: key) }
    case .nothing: break
    }
  }

  fileprivate func make(waitingFor tier: any BlockingTier) throws {
    switch change {
    case .store(let value): if let entry = value.entry { try tier.waitForStore(entry, forKey: key) }
    case .remove: try tier.waitForRemoval(forKey: key)
    case .removeBytes(let bytes): if try tier.waitForEntry(forKey: key)?.body == bytes { try tier.waitForRemoval(forKey: key) }
    case .nothing: break
    }
  }
}

/// A loader or a cache whose changes wait in a ``WriteBehind``. Its methods are called outside all locks.
package protocol WriteOwner: AnyObject, Sendable {
  /// Starts the owner's writes that may begin now, and responds to the end of earlier writes.
  func writesMayBegin()
  /// Reports that a change could not be made. This method is called again if the tier's earlier entry must then be removed, and the removal
  /// fails, too.
  func failed(_ write: TierWrites.Write, with error: any Error)
  /// Records the end of a change, and of the removal that may follow it.
  func ended(_ write: TierWrites.Write, hasSucceeded: Bool)
}

/// Returns the error that the work throws, if any.
func caught(_ work: () throws -> Void) -> (any Error)? {
  do { try work() } catch { return error }
  return nil
}

func caught(_ work: () async throws -> Void) async -> (any Error)? {
  do { try await work() } catch { return error }
  return nil
}
