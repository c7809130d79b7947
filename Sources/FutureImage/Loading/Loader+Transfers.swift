/// The table of transfers, one for each key. What a run does is ``TransferRun``'s.
extension FutureImage.Loader {
  /// Why a source is asked: the strongest of what its waiters want.
  enum Purpose: Int {
    /// Nothing of the picture is here.
    case first
    /// It is to be seen whether a picture that is here still holds.
    case revalidation
    /// Somebody said so.
    case reload

    /// What comes takes the place of another picture.
    var mayReplace: Bool { self != .first }
  }

  /// What a transfer needs besides its waiters.
  struct TransferInput {
    /// The descriptor of the future that requested it first: its disk tier may have the entry that a reload confirms.
    let descriptor: Descriptor
    /// The tiers of all futures that requested it, each once: they get what comes.
    fileprivate(set) var tiers: [any FutureImage.DiskTier]
    /// Tiers that were asked before, and had nothing.
    var missed: [any FutureImage.DiskTier] = []
    var purpose = Purpose.first
    /// How far it is, for those who join.
    var stage = FutureImage.State.Stage.waiting
    /// Of the attempts before.
    var past = Transfer.Past()
    /// Of the run that is under way.
    var interims: Interims?

    init(_ descriptor: Descriptor, missed: [any FutureImage.DiskTier], _ purpose: Purpose) {
      self.descriptor = descriptor
      self.missed = missed
      self.purpose = purpose
      tiers = descriptor.disk.map { [$0] } ?? []
    }

    fileprivate mutating func join(_ descriptor: Descriptor, missed others: [any FutureImage.DiskTier], _ purpose: Purpose) {
      if self.purpose.rawValue < purpose.rawValue { self.purpose = purpose }
      if !others.isEmpty { missed += others }
      if let tier = descriptor.disk, !tiers.contains(where: { $0 === tier }) { tiers.append(tier) }
    }
  }

  typealias TransferTable = JobTable<SourceKey, LoadRequest, TransferInput>

  /// Inside the lock: it does not run yet.
  ///
  /// Detached: whoever made room for it has nothing to do with it, neither by its priority nor by its task-local values.
  func makeTransferTask(_ key: SourceKey, run: UInt64, _ input: TransferInput, _ priority: TaskPriority) -> Task<Void, Never> {
    let body: @Sendable () async -> Void = { await TransferRun(self, key, number: run, input).run() }
    // Others may call code of the app's (for headers, bytes, a tier that is asked) or do all of the work themselves, as for a `data` URL.
    guard let transferHost, input.purpose == .first, input.descriptor.source.isPlainRequest else {
      return Scheduling.task("a transfer", priority: priority, body)
    }
    return transferHost.makeTask(priority, body)
  }
}

extension FutureImage.Loader.State {
  /// Requests a transfer, unless the future looks in caches only, or the source has failed for good a moment ago.
  /// - Parameters:
  ///   - miss: the tier that had nothing.
  ///   - order: the request's place among those that were looked up there.
  /// - Returns: what the request's future is to be told at once.
  mutating func requestTransferUnlessRefused(
    _ request: LoadRequest, _ descriptor: Descriptor, _ reason: Rank.Reason, _ purpose: Loader.Purpose = .first,
    after miss: (any FutureImage.DiskTier)? = nil, order: UInt64? = nil
  ) -> Loader.Reply {
    guard descriptor.policy.asksSource else { return .answer(.notCached) }
    if let (refusal, number) = refusals.refusal(of: descriptor.key) { return .refusal(refusal, number: number) }
    let stage = requestTransfer(request, descriptor, reason, purpose, missed: miss.map { [$0] } ?? [], order: order)
    if case .loading(let fraction) = stage { return .answer(.progress(fraction)) }
    return .later
  }

  /// - Returns: how far the transfer is, if it was requested before.
  @discardableResult mutating func requestTransfer(
    _ request: LoadRequest, _ descriptor: Descriptor, _ reason: Rank.Reason, _ purpose: Loader.Purpose,
    missed: [any FutureImage.DiskTier] = [], order: UInt64? = nil
  ) -> FutureImage.State.Stage? {
    let key = descriptor.key
    var stage: FutureImage.State.Stage?
    let (joined, raised, actions) = transfers.want(
      key, lane: descriptor.source.lane, reason: reason, priority: descriptor.priority, order: order ?? newOrder(), waiter: request,
      input: Loader.TransferInput(descriptor, missed: missed, purpose)
    ) { input in
      input.join(descriptor, missed: missed, purpose)
      stage = input.stage
    }
    if joined { statistics.joined += 1 }
    effects.note(actions)
    escalate(raised, key)
    if stage == nil, pictures[key]?.hasFailed == true {
      pictures.change(key) { $0.hasFailed = false }
      statistics.retries += 1
    }
    return stage
  }

  /// A transfer that became more urgent while it runs does so for the system, too.
  mutating func escalate(_ run: UInt64?, _ key: SourceKey) {
    guard let run, let rank = transfers.rank(of: key) else { return }
    transferTasks[run]?.escalate(to: rank.taskPriority)
  }

  /// - Returns: the requests to answer; nil if nobody wants that run any more: it has ended before it began.
  mutating func beginTransfer(_ key: SourceKey, run: UInt64, _ interims: Interims) -> Waiters<LoadRequest>? {
    guard transfers.change(key, run: run, { $0.interims = interims }) != nil else {
      effects.note(transfers.finish(key, run: run).actions)
      effects.note(.slot)
      return nil
    }
    return advanceTransfer(key, run: run, to: nil)
  }

  /// - Parameter hasGrown: whether more bytes are news, although the fraction is the same.
  /// - Returns: the requests to answer, if that is news.
  mutating func advanceTransfer(_ key: SourceKey, run: UInt64, to fraction: Double?, hasGrown: Bool = false) -> Waiters<LoadRequest> {
    heard(run)
    let isNews = transfers.change(key, run: run) { input in
      if case .loading(fraction) = input.stage { return hasGrown }
      input.stage = .loading(fraction)
      return true
    }
    return isNews == true ? transfers.waiters(of: key) : []
  }

  /// The attempt failed, and another comes after a wait: meanwhile others get its slot.
  /// - Returns: whether anybody still wants it.
  mutating func parkTransfer(_ key: SourceKey, run: UInt64, _ past: Transfer.Past) -> Bool {
    guard transfers.change(key, run: run, { $0.past = past }) != nil else { return false }
    effects.note(transfers.park(key, run: run))
    effects.note(.slot)
    return true
  }

  /// The wait is over, or not waited for any longer. The task that still waits is canceled.
  /// - Parameter only: if given, only if it is this one that waits.
  mutating func unparkTransfer(_ key: SourceKey, _ only: UInt64? = nil) {
    guard let run = transfers.parkedRun(of: key), only ?? run == run else { return }
    statistics.retries += 1
    effects.note(transfers.unpark(key, run: run))
    if let waiting = transferTasks.removeValue(forKey: run), only == nil { effects.canceled.append(waiting.task) }
  }

  /// - Returns: the requests that waited; nil if nobody wants to know of that run any more.
  mutating func finishTransfer(_ key: SourceKey, run: UInt64) -> Waiters<LoadRequest>? {
    let (waiters, actions) = transfers.finish(key, run: run)
    lull.somethingEnded()
    transferTasks[run] = nil
    effects.note(actions)
    return waiters
  }

  /// Another picture takes the place of the one that is fetched.
  /// - Returns: the requests that nobody else will answer now.
  mutating func endTransfer(_ key: SourceKey) -> Waiters<LoadRequest> {
    let dropped = transfers.waiters(of: key)
    effects.note(transfers.remove(key))
    return dropped
  }

  mutating func perform(_ action: Loader.TransferTable.Action, by loader: Loader) {
    switch action {
    case .start(let key, let run):
      guard let input = transfers.change(key, run: run, { $0 }) else { return effects.note(transfers.finish(key, run: run).actions) }
      let priority = transfers.rank(of: key)?.taskPriority ?? .medium
      transferTasks[run] = RunningTask(loader.makeTransferTask(key, run: run, input, priority), priority)
    case .cancel(_, let run):
      if let running = transferTasks.removeValue(forKey: run) { effects.canceled.append(running.task) }
    }
  }
}
