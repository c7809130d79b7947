/// The stage before the first: new futures wait outside of the tables while the tables are busy.
extension FutureImage.Loader {
  /// Requests the bytes of a new future, now or when its turn comes.
  func requestBytesInTurn(of future: FutureImage, _ descriptor: Descriptor) {
    // Futures that were found inside the lock are released out here. The lane, which requires reading the URL, is read only for an image
    // that is not known yet.
    let seen = state.withLock { state -> [FutureImage]? in
      guard descriptor.priority != .high, !state.knows(descriptor), let lane = descriptor.source.lane else { return nil }
      guard let name = state.backlogName(lane, descriptor.disk) else { return nil }
      if !state.backlog.holds(name) { state.lowCountOfVainLook = nil }
      return state.backlog.append(future, lane: name, isLow: descriptor.priority == .low, living: state.pictures.count)
    }
    if seen == nil { future.leaveBacklog(urgency: .created) }
  }

  /// Requests the bytes of a future whose turn has come. Other futures of the same image leave the backlog, too, and join its request.
  func admit(_ future: FutureImage) {
    guard let key = future.descriptor?.key, future.leaveBacklog() else { return }
    if state.withLock({ $0.pictures.isShared(key) }) { forEachFuture(of: key) { $0.leaveBacklog() } }
  }
}

extension FutureImage.Loader.State {
  /// The number of jobs that may wait for each kind of slot before others are deferred: enough never to run dry between two admissions.
  static var enough: Int { 32 }
  /// The number of waiting jobs at which others are admitted, until there are enough.
  static var few: Int { 16 }

  /// The number of lookups of all tiers that may wait before others are deferred. A few tiers that hang leave room for the rest.
  private static var lookupLimit: Int { 8 * enough }

  /// - Returns: the lane in which a new future waits; nil if it need not wait.
  fileprivate func backlogName(_ lane: String, _ disk: (any FutureImage.DiskTier)?) -> Backlog.Name? {
    let name = Backlog.Name(lane: lane)
    // Called for every new future, and the name of a tier's group takes longer than the rest.
    if lookups.waitingCount >= Self.enough || !backlog.isEmpty, let disk {
      let tier = disk.group
      let ofTier = Backlog.Name(lane: lane, tier: tier)
      if backlog.holds(ofTier) || lookups.waitingCount(inLane: tier) >= Self.enough { return ofTier }
    }
    let isBusy = transfers.waitingCount(inLane: lane) >= Self.enough || lookups.waitingCount >= Self.lookupLimit
    return isBusy || backlog.holds(name) ? name : nil
  }

  /// Whether something is under way or known for the key, so that waiting would be pointless.
  func knows(_ descriptor: Descriptor) -> Bool {
    let key = descriptor.key
    return transfers.contains(key) || pictures[key]?.staged != nil || refusals.contains(key)
      || descriptor.disk.map { lookups.contains(FutureImage.Loader.LookupKey(key, $0)) } ?? false
  }

  private var lowCount: UInt64 { lookups.lowCount + transfers.lowCount }

  /// Takes the next future of the backlog, if its lane has room. The caller then decrements `pendingWork` and clears `isAdmitting`.
  /// - Parameter level: the number of jobs of a lane that may wait before futures stay in the backlog.
  mutating func takeAdmissible(upTo level: Int) -> Backlog.Entry? {
    // One after the other, because two threads would reverse the order. The thread that admits one looks again.
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
