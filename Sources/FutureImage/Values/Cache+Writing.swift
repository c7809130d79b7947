extension FutureImage.Cache: WriteOwner {
  private var writes: WriteBehind { loader.configuration.writes }

  /// Changes the state, and starts the writes that are due. The values that leave are destroyed outside the lock.
  func update(_ body: (inout CacheState) -> [any Sendable]) {
    let leaving = state.withLock(body)
    withExtendedLifetime(leaving) {}
    writesMayBegin()
  }

  /// Changes the value in memory, and enqueues the same change of the disk. Call it inside ``update(_:)``.
  /// - Parameter cost: the cost of a value, in bytes; nil if it is unknown.
  /// - Returns: the values that leave.
  func change(_ change: CacheState.Change, in slot: Slot, cost: Int? = nil, _ state: inout CacheState) -> [any Sendable] {
    switch change {
    case .store(let value, let entry):
      let leaving = follow(change, bytes: cost ?? entry?.body.count ?? state.typicalBytes, in: slot, &state)
      return leaving + state.insert(value, cost: cost ?? entry?.body.count ?? 0, slot)
    case .remove:
      return follow(change, bytes: 0, in: slot, &state) + state.removeFromMemory(slot)
    }
  }

  /// Enqueues a change of the disk. If there is no room for a value, reports a fault and removes the older one.
  private func follow(_ change: CacheState.Change, bytes: Int, in slot: Slot, _ state: inout CacheState) -> [any Sendable] {
    guard let disk = disks[slot.format], state.hasDisk(slot.format) else { return [] }
    let place = disk.filePlace.at(slot.key)
    let hasRoom = writes.reserve(bytes, entries: 0, of: place)
    let old = hasRoom ? state.note(change, bytes: bytes, slot) : state.note(.remove, bytes: 0, slot)
    if !hasRoom { reportLater(TierWrites.Behind()) }
    if let old { writes.free(old.bytes, of: place) }
    // The queued write stores the newest value at that time.
    if writes.isLast(self, in: place) { return [old] }
    guard writes.reserve(0, of: place) else {
      let lost = state.giveUpDisk(slot.format)
      for pending in lost { writes.free(pending.bytes, of: place) }
      return lost + [old]
    }
    state.writing[slot, default: CacheState.Writing()].count += 1
    writes.add(
      TierWrites.Write(place, bytes: 0, owner: self) { end in
        // The task retains the cache until the value is on disk.
        _ = Scheduling.task("a write") {
          await self.write(slot, place)
          // Before `end`, after which the slot's next write may begin.
          let waiters = self.state.withLock { $0.endedWriting(slot) }
          end()
          for waiter in waiters { waiter.resume() }
        }
      })
    return [old]
  }

  /// Starts due writes. Values that an app sets are written at once.
  func writesMayBegin() {
    var due: [TierWrites.Write]
    repeat {
      due = writes.takeDue(self, isQuiet: true)
      for write in due {
        write.begin {
          self.writes.ended(write)
          self.writesMayBegin()
        }
      }
    } while due.count == TierWrites.batch
  }

  private func write(_ slot: Slot, _ place: TierPlace) async {
    if let disk = disks[slot.format], let pending = state.withLock({ $0.toWrite(slot) }) {
      do {
        switch pending.change {
        case .store(let box, let entry):
          try await disk.store(try await encoded(box, with: entry, in: slot, number: pending.number), forKey: slot.key)
          state.withLock { $0.denials.noteStored(in: place.group) }
        case .remove: try await disk.remove(forKey: slot.key)
        }
      } catch {
        report(error, at: place)
        // Remove the disk's earlier value, so that it is not found anymore.
        if !mayStay(pending.change, error) { do { try await disk.remove(forKey: slot.key) } catch { report(error, at: place) } }
      }
      if state.withLock({ $0.wrote(slot, number: pending.number) }) { writes.free(pending.bytes, of: place) }
    }
  }

  /// Returns when all writes of the slot have ended.
  func written(_ slot: Slot) async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.writing[slot] != nil else { return true }
        state.writing[slot]?.waiters.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Whether the disk's value stays although a write failed: on a locked device, for a fetched value. It cannot be read there, so it is
  /// fetched again.
  private func mayStay(_ change: CacheState.Change, _ failure: any Error) -> Bool {
    if case .store(_, .some) = change { failure.isDenied } else { false }
  }

  private func encoded(
    _ box: CacheState.Value, with entry: FutureImage.CacheEntry?, in slot: Slot, number: UInt64
  ) async throws -> FutureImage.CacheEntry {
    if let entry { return entry }
    // The state never contains a box of another type.
    guard let value = unboxed(box) else { throw CancellationError() }
    let entry = FutureImage.CacheEntry(body: try await coding.run { [coder] in try coder.encode(value) })
    if coder.cost(value) == nil {
      let losers = state.withLock { state in
        state.noteEncoded(bytes: entry.body.count)
        return state.setCost(entry.body.count, slot, number: number)
      }
      withExtendedLifetime(losers) {}
    }
    return entry
  }

  /// Reports the error outside the lock, which the caller holds.
  private func reportLater(_ error: any Error) {
    _ = Scheduling.task("a report") { self.report(error) }
  }

  /// Reports a failure, but not every failure of a locked device.
  /// - Parameter place: the place of a failed write.
  func report(_ error: any Error, at place: TierPlace? = nil) {
    let isDenial = error.isDenied
    // Errors of the app's own are destroyed outside the lock.
    let old = state.withLock { state -> (any Error)? in
      guard state.denials.mustReportFailure(isDenial: isDenial, of: place?.group) else { return nil }
      state.faultCount += 1
      defer { state.lastFault = error }
      return state.lastFault
    }
    withExtendedLifetime(old) {}
  }
}
