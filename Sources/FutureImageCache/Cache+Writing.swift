import FutureImage

extension Cache: WriteOwner {
  var writes: WriteBehind { loader.configuration.writes }

  /// Changes the state, and starts the writes that are due. The values that leave the state are destroyed outside the lock.
  func update(_ body: (inout CacheState) -> [any Sendable]) {
    let leaving = state.withLock(body)
    withExtendedLifetime(leaving) {}
    writesMayBegin()
  }

  /// Stores the value in memory, and enqueues it for the disk. Call it inside ``update(_:)``.
  /// - Parameters:
  ///   - entry: the value as it was fetched; nil for a value that is yet to be encoded.
  ///   - cost: the cost of the value, in bytes; nil if it is unknown.
  /// - Returns: the values that leave the state.
  func store(
    _ box: CacheBox<Value>, with entry: FutureImage.CacheEntry?, in variantKey: VariantKey, cost: Int?, _ state: inout CacheState
  ) -> [any Sendable] {
    let value =
      if let entry {
        TierValue(box, entry, replaces: false)
      } else {
        TierValue(box, bytes: cost ?? state.typicalBytes, replaces: true) { try await self.encoded(box, in: variantKey) }
      }
    return add(.store(value), in: variantKey) + state.insert(box, cost: cost ?? entry?.body.count ?? 0, variantKey)
  }

  /// Removes the value from memory, and enqueues its removal from the disk. Call it inside ``update(_:)``.
  /// - Returns: the values that leave the state.
  func remove(_ variantKey: VariantKey, _ state: inout CacheState) -> [any Sendable] {
    add(.remove, in: variantKey) + state.removeFromMemory(variantKey)
  }

  private func add(_ change: TierChange, in variantKey: VariantKey) -> [any Sendable] {
    guard let disk = disks[variantKey.variant], let location = location(variantKey) else { return [] }
    let added = writes.add(TierWrites.Write(change, of: variantKey.key, in: disk, location, by: self))
    if !added.isAccepted, change.isStore { reportLater(TierWrites.Behind()) }
    return added.replaced.map { [$0] } ?? []
  }

  /// Returns the place of a value on disk. Each value has its own place, so several values can be encoded and written at a time.
  func location(_ variantKey: VariantKey) -> TierLocation? { disks[variantKey.variant]?.fileLocation.at(variantKey.key) }

  /// Starts the writes that are due. Values that an app sets are written at once.
  package func writesMayBegin() { writes.beginDue(self, isQuiet: true) }

  package func failed(_ write: TierWrites.Write, with error: any Error) { report(error, at: write.location) }

  package func ended(_ write: TierWrites.Write, hasSucceeded: Bool) {
    if hasSucceeded, write.change.isStore { state.withLock { $0.denials.noteStored(in: write.location.group) } }
  }

  /// Encodes a value, and records its cost unless a newer value has replaced it.
  private func encoded(_ box: CacheBox<Value>, in variantKey: VariantKey) async throws -> FutureImage.CacheEntry {
    let entry = FutureImage.CacheEntry(body: try await coding.run { [coder] in try coder.encode(box.value) })
    if coder.cost(box.value) == nil {
      let leaving = state.withLock { state -> (evicted: [CacheState.Value], queued: TierValue?) in
        state.noteEncoded(bytes: entry.body.count)
        let queued = queued(variantKey)
        return (queued?.object as? CacheBox<Value> === box ? state.setCost(entry.body.count, variantKey) : [], queued)
      }
      withExtendedLifetime(leaving) {}
    }
    return entry
  }

  /// Returns the value that waits to be written to disk. A caller inside the lock must return the value from the lock, because the caller
  /// may have the last reference to it.
  private func queued(_ variantKey: VariantKey) -> TierValue? {
    guard let location = location(variantKey), case .value(let value) = writes.known(variantKey.key, in: location) else { return nil }
    return value
  }

  /// The result of a search that does not read the disk.
  struct Found {
    var box: CacheBox<Value>?
    var mayBeOnDisk = false
    /// The value that waits to be written to disk. Release it outside the lock.
    var queued: TierValue?
  }

  /// Searches memory and the values that wait to be written to disk. Call it inside the lock. Otherwise, neither search would find a value
  /// that is set after the first search and written to disk before the second search.
  func lookUp(for variantKey: VariantKey, _ state: inout CacheState) -> Found {
    if let known = own(state.value(variantKey)) { return Found(box: known) }
    guard let location = location(variantKey) else { return Found() }
    switch writes.known(variantKey.key, in: location) {
    case .value(let value):
      // If another cache with another coder set the value in the same folder, read it from disk.
      let box = value.object as? CacheBox<Value>
      return Found(box: box, mayBeOnDisk: box == nil, queued: value)
    case .missing: return Found()
    case .unknown: return Found(mayBeOnDisk: true)
    }
  }

  /// Reports the error in a task, because the caller holds the lock, and a report acquires it.
  private func reportLater(_ error: any Error) {
    _ = Scheduling.task("a report") { self.report(error) }
  }

  /// Records a failure in ``faultCount`` and ``lastFault``. Of the many failures that a locked device causes, it records only a few: see
  /// `Denials`.
  /// - Parameter location: the place of a failed write.
  func report(_ error: any Error, at location: TierLocation? = nil) {
    let isDenial = error.isDenied
    // The previous error may have an app's own type, so it is destroyed outside the lock.
    let old = state.withLock { state -> (any Error)? in
      guard state.denials.mustReportFailure(isDenial: isDenial, of: location?.group) else { return nil }
      state.faultCount += 1
      defer { state.lastFault = error }
      return state.lastFault
    }
    withExtendedLifetime(old) {}
  }
}
