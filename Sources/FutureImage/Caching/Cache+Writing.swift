extension FutureImage.Cache: WriteOwner {
  private var writes: WriteBehind { loader.configuration.writes }

  /// Changes the state, and begins what is to be written. What leaves is destroyed outside of the lock.
  func update(_ body: (inout CacheState) -> [any Sendable]) {
    let leaving = state.withLock(body)
    withExtendedLifetime(leaving) {}
    writesMayBegin()
  }

  /// Changes what is in memory, and has the disk follow. To be called within ``update(_:)``.
  /// - Parameter cost: Of a value, in bytes; nil if it cannot tell.
  /// - Returns: what leaves.
  func change(_ change: CacheState.Change, _ slot: Slot, cost: Int? = nil, _ state: inout CacheState) -> [any Sendable] {
    switch change {
    case .store(let value, let entry):
      let leaving = follow(change, bytes: cost ?? entry?.body.count ?? state.typicalBytes, slot, &state)
      return leaving + state.insert(value, cost: cost ?? entry?.body.count ?? 0, slot)
    case .remove:
      return follow(change, bytes: 0, slot, &state) + state.removeFromMemory(slot)
    }
  }

  /// A value that does not fit any more takes what is older from the disk, and is reported as a fault.
  private func follow(_ change: CacheState.Change, bytes: Int, _ slot: Slot, _ state: inout CacheState) -> [any Sendable] {
    guard let disk = disks[slot.format], state.hasDisk(slot.format) else { return [] }
    let place = disk.filePlace.at(slot.key)
    let hasRoom = writes.reserve(bytes, entries: 0, of: place)
    let old = hasRoom ? state.note(change, bytes: bytes, slot) : state.note(.remove, bytes: 0, slot)
    if !hasRoom { reportLater(TierWrites.Behind()) }
    if let old { writes.free(old.bytes, of: place) }
    // The write that waits brings whatever is the newest then.
    if writes.isLast(self, in: place) { return [old] }
    guard writes.reserve(0, of: place) else {
      let lost = state.giveUpDisk(slot.format)
      for pending in lost { writes.free(pending.bytes, of: place) }
      return lost + [old]
    }
    state.writing[slot, default: CacheState.Writing()].count += 1
    writes.add(
      TierWrites.Write(place, bytes: 0, owner: self) { end in
        // It has the cache until the value is on disk.
        _ = Scheduling.task("a write") {
          await self.write(slot, place)
          // Before the end, with which the next one of the slot may begin.
          let waiters = self.state.withLock { $0.endedWriting(slot) }
          end()
          for waiter in waiters { waiter.resume() }
        }
      })
    return [old]
  }

  /// Values that an app sets are written at once.
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
          try await disk.store(try await encoded(box, entry, slot, pending.number), forKey: slot.key)
          state.withLock { $0.denials.noteStored(in: place.group) }
        case .remove: try await disk.remove(forKey: slot.key)
        }
      } catch {
        report(error, at: place)
        // What the disk had before is not to be found there any more.
        if !mayStay(pending.change, error) { do { try await disk.remove(forKey: slot.key) } catch { report(error, at: place) } }
      }
      if state.withLock({ $0.wrote(slot, number: pending.number) }) { writes.free(pending.bytes, of: place) }
    }
  }

  /// Returns when the writes of the slot have ended.
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

  /// On a locked device the disk keeps what it has, if that is asked for again because it could not be read there.
  private func mayStay(_ change: CacheState.Change, _ failure: any Error) -> Bool {
    if case .store(_, .some) = change { failure.isDenied } else { false }
  }

  private func encoded(
    _ box: CacheState.Value, _ entry: FutureImage.CacheEntry?, _ slot: Slot, _ number: UInt64
  ) async throws -> FutureImage.CacheEntry {
    if let entry { return entry }
    // Nothing else is ever put in.
    guard let value = unboxed(box) else { throw CancellationError() }
    let entry = FutureImage.CacheEntry(body: try await coding.run { [coder] in try coder.data(from: value) })
    if coder.cost(of: value) == nil {
      let losers = state.withLock { state in
        state.noteEncoded(bytes: entry.body.count)
        return state.setCost(entry.body.count, slot, number: number)
      }
      withExtendedLifetime(losers) {}
    }
    return entry
  }

  /// Outside of the lock, which the caller holds.
  private func reportLater(_ error: any Error) {
    _ = Scheduling.task("a report") { self.report(error) }
  }

  /// A failure of a locked device is not reported for every value.
  /// - Parameter place: where a write failed.
  func report(_ error: any Error, at place: TierPlace? = nil) {
    let isDenial = error.isDenied
    // An error of the app's is destroyed outside of the lock.
    let old = state.withLock { state -> (any Error)? in
      guard state.denials.mustReportFailure(isDenial: isDenial, of: place?.group) else { return nil }
      state.faultCount += 1
      defer { state.lastFault = error }
      return state.lastFault
    }
    withExtendedLifetime(old) {}
  }
}
