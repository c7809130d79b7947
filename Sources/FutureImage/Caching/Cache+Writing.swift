extension FutureImage.Cache {
  /// Changes what is in memory, and has the disk follow.
  /// - Returns: what leaves the memory.
  func change(_ change: CacheState.Change, _ slot: Slot, cost: Int = 0, _ state: inout CacheState) -> [CacheState.Value] {
    let losers =
      switch change {
      case .store(let value, let entry): state.store(value, entry, cost: cost, slot)
      case .remove: state.remove(slot)
      }
    if state.pendingChange(slot) != nil, state.writers[slot] == nil {
      // To make a task is to write down, not to run. It keeps the cache until the value is on disk.
      state.writers[slot] = Task { await write(slot) }
    }
    return losers
  }

  private func write(_ slot: Slot) async {
    guard let disk = disks[slot.format] else { return }
    while let (number, change) = state.withLock({ $0.pendingChange(slot) }) {
      do {
        switch change {
        case .store(let box, let entry): try await disk.store(try await encoded(box, entry, slot, number), forKey: slot.key)
        case .remove: try await disk.remove(forKey: slot.key)
        }
      } catch {
        report(error)
        // What the disk had before is not to be found there any more.
        if !mayStay(change, error) { do { try await disk.remove(forKey: slot.key) } catch { report(error) } }
      }
      if !state.withLock({ $0.wrote(slot, number: number) }) { return }
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
      let losers = state.withLock { $0.setCost(entry.body.count, slot, number: number) }
      withExtendedLifetime(losers) {}
    }
    return entry
  }

  /// What fails because the device is locked is reported once, and not for every value.
  func report(_ error: any Error) {
    state.withLock { state in
      if error.isDenied {
        guard !state.hasReportedDenial else { return }
        state.hasReportedDenial = true
      }
      state.faultCount += 1
      state.lastFault = error
    }
  }
}
