/// The table of transfers, one for each key. ``TransferRun`` does the work of a run.
extension FutureImage.Loader {
  /// The reason for asking a source: the strongest that its waiters have.
  enum Purpose: Int {
    /// No image of the key is known.
    case first
    /// A known image must be revalidated.
    case revalidation
    /// The app requested a reload.
    case reload

    /// Whether the result may replace another image.
    var mayReplace: Bool { self != .first }
  }

  /// The data that a transfer needs besides its waiters.
  struct TransferInput {
    /// The descriptor of the future that requested it first. Its disk tier may have the entry that a reload confirms.
    let descriptor: Descriptor
    /// The tiers of all futures that requested it, each once. They get the bytes.
    fileprivate(set) var tiers: [any FutureImage.DiskTier]
    /// The tiers that were read before, and had no entry.
    var missed: [any FutureImage.DiskTier] = []
    var purpose = Purpose.first
    /// The progress, for futures that join.
    var stage = FutureImage.State.Stage.waiting
    /// The record of earlier attempts.
    var past = Transfer.Past()
    /// The interim images of the current run.
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
}

extension FutureImage.Loader.State {
  /// Requests a transfer, unless the policy of the future allows only caches, or the source has recently failed permanently.
  /// - Parameters:
  ///   - miss: the tier that had no entry.
  ///   - order: the request's place among those that waited for a lookup there.
  /// - Returns: the immediate answer to the request.
  mutating func requestTransferUnlessRefused(
    for request: LoadRequest, of descriptor: Descriptor, reason: Rank.Reason, as purpose: Loader.Purpose = .first,
    after miss: (any FutureImage.DiskTier)? = nil, order: UInt64? = nil
  ) -> Answer {
    guard descriptor.policy.asksSource else { return .notCached }
    if let (refusal, number) = refusals.refusal(of: descriptor.key) { return .refusal(refusal, number: number) }
    let stage = requestTransfer(for: request, of: descriptor, reason: reason, as: purpose, missed: miss.map { [$0] } ?? [], order: order)
    if case .loading(let fraction) = stage { return .progress(fraction) }
    return .later
  }

  /// - Returns: the progress of the transfer, if it was requested before.
  @discardableResult mutating func requestTransfer(
    for request: LoadRequest, of descriptor: Descriptor, reason: Rank.Reason, as purpose: Loader.Purpose,
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

  /// Raises the priority of the task of a transfer that became more urgent while it runs.
  mutating func escalate(_ run: UInt64?, _ key: SourceKey) {
    guard let run, let rank = transfers.rank(of: key) else { return }
    // Race: a transfer's task that stays less urgent than its job.
    transferTasks[run]?.escalate(to: rank.taskPriority)
  }

  /// - Returns: the requests to answer; nil if the run was canceled: it has ended before it began.
  mutating func beginTransfer(_ key: SourceKey, run: UInt64, _ interims: Interims) -> Waiters<LoadRequest>? {
    guard transfers.change(key, run: run, { $0.interims = interims }) != nil else {
      effects.note(transfers.finish(key, run: run).actions)
      effects.note(.slot)
      return nil
    }
    return advanceTransfer(key, run: run, to: nil)
  }

  /// - Parameter hasGrown: whether more bytes are news, although the fraction is the same.
  /// - Returns: the requests to answer, if there is news.
  mutating func advanceTransfer(_ key: SourceKey, run: UInt64, to fraction: Double?, hasGrown: Bool = false) -> Waiters<LoadRequest> {
    heard(run)
    let isNews = transfers.change(key, run: run) { input in
      if case .loading(fraction) = input.stage { return hasGrown }
      input.stage = .loading(fraction)
      return true
    }
    return isNews == true ? transfers.waiters(of: key) : []
  }

  /// Parks a transfer whose attempt failed until the next attempt. Meanwhile others get its slot.
  /// - Returns: whether the transfer is still wanted.
  mutating func parkTransfer(_ key: SourceKey, run: UInt64, _ past: Transfer.Past) -> Bool {
    guard transfers.change(key, run: run, { $0.past = past }) != nil else { return false }
    effects.note(transfers.park(key, run: run))
    effects.note(.slot)
    return true
  }

  /// Ends the wait for the next attempt, or cuts it short. A task that still waits is canceled.
  /// - Parameter only: if given, the run that must be the one that waits.
  mutating func unparkTransfer(_ key: SourceKey, _ only: UInt64? = nil) {
    guard let run = transfers.parkedRun(of: key), only ?? run == run else { return }
    statistics.retries += 1
    effects.note(transfers.unpark(key, run: run))
    if let waiting = transferTasks.removeValue(forKey: run), only == nil { effects.canceled.append(waiting.task) }
  }

  /// - Returns: the requests that waited; nil if the run was canceled meanwhile.
  mutating func finishTransfer(_ key: SourceKey, run: UInt64) -> Waiters<LoadRequest>? {
    let (waiters, actions) = transfers.finish(key, run: run)
    lull.somethingEnded()
    transferTasks[run] = nil
    effects.note(actions)
    return waiters
  }

  /// Ends the transfer of an image that another one replaces.
  /// - Returns: the requests that only the caller can answer now.
  mutating func endTransfer(_ key: SourceKey) -> Waiters<LoadRequest> {
    let dropped = transfers.waiters(of: key)
    effects.note(transfers.remove(key))
    return dropped
  }

  /// Creates the task of a run inside the lock, where it does not run yet. The task is detached: it is unrelated to the task that made room
  /// for it, both in its priority and in its task-local values.
  mutating func perform(_ action: Loader.TransferTable.Action, by loader: Loader) {
    switch action {
    case .start(let key, let run):
      guard let input = transfers.change(key, run: run, { $0 }) else { return effects.note(transfers.finish(key, run: run).actions) }
      let priority = transfers.rank(of: key)?.taskPriority ?? .medium
      let body: @Sendable () async -> Void = { await TransferRun(loader, key: key, number: run, input: input).run() }
      // Others may call code of the app (for headers, bytes, or a lookup in a tier) or do all of the work themselves, as for a `data` URL.
      let host = input.purpose == .first && input.descriptor.source.isPlainRequest ? loader.transferHost : nil
      let task = host?.makeTask(priority, body) ?? Scheduling.task("a transfer", priority: priority, body)
      transferTasks[run] = RunningTask(task, priority)
    case .cancel(_, let run):
      if let running = transferTasks.removeValue(forKey: run) { effects.canceled.append(running.task) }
    }
  }
}
