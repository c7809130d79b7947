/// Before the first stage: futures that were just made wait outside of the tables, while those have enough to do.
extension FutureImage.Loader {
  /// Asks for the bytes of a future that was just made, now or when its turn has come.
  func wantBytesInTurn(_ future: FutureImage, _ descriptor: Descriptor, _ ticket: UInt32) {
    // What was looked at is let go out here. The lane, which takes a look at the URL, is read only for a picture that is not known yet.
    let seen = state.withLock { state -> [FutureImage]? in
      guard descriptor.priority != .high, !state.knows(descriptor), let lane = descriptor.source.lane else { return nil }
      guard let name = state.backlogName(lane, descriptor.disk) else { return nil }
      if !state.backlog.holds(name) { state.lowCountOfVainLook = nil }
      return state.backlog.append(future, ticket, lane: name, isLow: descriptor.priority == .low, living: state.live.count)
    }
    if seen == nil, future.takeUp(ticket) { wantBytes(future, descriptor, ticket, reason: .created) }
  }

  /// A transfer or a look-up has ended, or has given its slot up. While anybody is put off something has one, so this is where their turn
  /// comes.
  /// - Parameter change: what else is to be done in the lock, before.
  func slotFreed(_ change: (inout State) -> Void = { _ in }) {
    // Not one whenever one has ended: who is asked for several pictures in a row does not go to sleep after each.
    var (entry, settled) = state.withLock { state in
      change(&state)
      return state.takeNext(upTo: State.few, by: self)
    }
    while let admitted = entry {
      if let future = admitted.future { admit(future, admitted.ticket) }
      (entry, settled) = state.withLock { state in
        // Until now the loader was not idle, though the wish stood nowhere.
        state.pendingWork -= 1
        state.isAdmitting = false
        return state.takeNext(upTo: State.enough, by: self)
      }
    }
    for continuation in settled { continuation.resume() }
  }

  /// Counts work as ended with which a transfer or a look-up may have given its slot up.
  func slotWorkEnded() {
    slotFreed { $0.pendingWork -= 1 }
  }

  /// Others of the same picture come along, and join it.
  private func admit(_ future: FutureImage, _ ticket: UInt32) {
    guard let descriptor = future.descriptor, future.takeUp(ticket) else { return }
    wantBytes(future, descriptor, ticket, reason: future.urgency)
    for other in state.withLock({ $0.live.futures(key: descriptor.key) }) where other !== future {
      if let descriptor = other.descriptor, let ticket = other.takeUp() {
        wantBytes(other, descriptor, ticket, reason: other.urgency)
      }
    }
  }
}

extension FutureImage.Loader.State {
  /// How many jobs may wait for each slot kind before others are put off: enough to never run dry between two admissions.
  fileprivate static var enough: Int { 32 }
  /// So few that it is time to admit others, until there are enough.
  static var few: Int { 16 }

  /// How many lookups of all tiers may wait before others are put off. A few tiers that hang leave room to the rest.
  private static var lookupLimit: Int { 8 * enough }

  /// - Returns: where a new future is to wait; nil if it need not.
  fileprivate func backlogName(_ lane: String, _ disk: (any FutureImage.DiskTier)?) -> Backlog.Name? {
    let name = Backlog.Name(lane: lane)
    // Asked by every future that is made: the name of a tier's group takes longer than the rest.
    if lookups.waitingCount >= Self.enough || !backlog.isEmpty, let disk {
      let tier = disk.group
      let ofTier = Backlog.Name(lane: lane, tier: tier)
      if backlog.holds(ofTier) || lookups.waitingCount(inLane: tier) >= Self.enough { return ofTier }
    }
    let isBusy = transfers.waitingCount(inLane: lane) >= Self.enough || lookups.waitingCount >= Self.lookupLimit
    return isBusy || backlog.holds(name) ? name : nil
  }

  /// Something is under way or known for the key: waiting would be for nothing.
  func knows(_ descriptor: Descriptor) -> Bool {
    let key = descriptor.key
    return transfers.contains(key) || staged[key] != nil || refusals.contains(key)
      || descriptor.disk.map { lookups.contains(FutureImage.Loader.LookupKey(key, $0)) } ?? false
  }

  /// Whose turn it is, or else whom to tell that all is over.
  fileprivate mutating func takeNext(
    upTo level: Int, by loader: FutureImage.Loader
  ) -> (Backlog.Entry?, settled: [CheckedContinuation<Void, Never>]) {
    if let entry = takeAdmissible(upTo: level) { return (entry, []) }
    return (nil, takeSettled(by: loader))
  }

  private var lowCount: UInt64 { lookups.lowCount + transfers.lowCount }

  /// To be followed by one `pendingWork` less and the end of `isAdmitting`.
  private mutating func takeAdmissible(upTo level: Int) -> Backlog.Entry? {
    // One after the other, or two threads would turn the order round. Whoever is at it looks again.
    guard !isAdmitting, !backlog.isEmpty, lowCountOfVainLook != lowCount, lookups.waitingCount < Self.lookupLimit else { return nil }
    var backlog = Backlog()
    swap(&backlog, &self.backlog)
    defer { swap(&backlog, &self.backlog) }
    let found = backlog.takeNext(
      ofTier: { $0.map { lookups.waitingCount(inLane: $0) < level } ?? true },
      where: { transfers.waitingCount(inLane: $0.lane) < level })
    guard let entry = found else {
      lowCountOfVainLook = backlog.isAskedInOneLook ? lowCount : nil
      return nil
    }
    pendingWork += 1
    isAdmitting = true
    return entry
  }
}

extension FutureImage {
  /// Takes the wish out of the backlog, unless somebody did already.
  fileprivate func takeUp(_ ticket: UInt32) -> Bool { state.withLock { $0.wish.takeUp(ticket) } != nil }

  /// - Returns: the ticket of the wish.
  fileprivate func takeUp() -> UInt32? { state.withLock { $0.wish.takeUp() } }
}
