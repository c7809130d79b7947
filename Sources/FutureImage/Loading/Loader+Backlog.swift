/// Before the first stage: futures that were just made wait outside of the tables, while those have enough to do.
extension FutureImage.Loader {
  /// Requests the bytes of a future that was just made, now or when its turn has come.
  func requestBytesInTurn(of future: FutureImage, _ descriptor: Descriptor) {
    // What was looked at is let go out here. The lane, which takes a look at the URL, is read only for a picture that is not known yet.
    let seen = state.withLock { state -> [FutureImage]? in
      guard descriptor.priority != .high, !state.knows(descriptor), let lane = descriptor.source.lane else { return nil }
      guard let name = state.backlogName(lane, descriptor.disk) else { return nil }
      if !state.backlog.holds(name) { state.lowCountOfVainLook = nil }
      return state.backlog.append(future, lane: name, isLow: descriptor.priority == .low, living: state.pictures.count)
    }
    if seen == nil { future.leaveBacklog(urgency: .created) }
  }

  /// Requests the bytes of a future whose turn has come. Others of the same picture come along, and join it.
  func admit(_ future: FutureImage) {
    guard let key = future.descriptor?.key, future.leaveBacklog() else { return }
    if state.withLock({ $0.pictures.isShared(key) }) { forEachFuture(of: key) { $0.leaveBacklog() } }
  }
}

extension FutureImage.Loader.State {
  /// How many jobs may wait for each slot kind before others are put off: enough to never run dry between two admissions.
  static var enough: Int { 32 }
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
    return transfers.contains(key) || pictures[key]?.staged != nil || refusals.contains(key)
      || descriptor.disk.map { lookups.contains(FutureImage.Loader.LookupKey(key, $0)) } ?? false
  }

  private var lowCount: UInt64 { lookups.lowCount + transfers.lowCount }

  /// The next future of the backlog, if its lane has room. Followed by one `pendingWork` less and the end of `isAdmitting`.
  /// - Parameter level: how many jobs of a lane may wait before futures of the backlog wait on.
  mutating func takeAdmissible(upTo level: Int) -> Backlog.Entry? {
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
  /// Takes this future's request out of the backlog and registers it, unless another thread has done so.
  @discardableResult fileprivate func leaveBacklog(urgency: Rank.Reason? = nil) -> Bool {
    guard let descriptor, let request = state.withLock({ $0.wish.leaveBacklog(of: self) }) else { return false }
    descriptor.loader.requestBytes(request, of: self, descriptor, reason: urgency ?? self.urgency)
    return true
  }
}
