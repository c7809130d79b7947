extension FutureImage.Loader {
  struct LookupKey: Hashable {
    let key: SourceKey
    let tier: ObjectIdentifier

    init(_ key: SourceKey, _ tier: any FutureImage.DiskTier) {
      self.key = key
      self.tier = ObjectIdentifier(tier)
    }
  }

  /// Where a picture is still to be removed.
  struct OutdatedKey: Hashable {
    let key: SourceKey
    let place: String

    init(_ key: SourceKey, _ place: String) {
      self.key = key
      self.place = place
    }
  }

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
    /// Of the one who asked first: its disk tier may know what a reload is to confirm.
    let descriptor: Descriptor
    /// Tiers that were asked before, and had nothing.
    var missed: [any FutureImage.DiskTier] = []
    var purpose = Purpose.first
    /// How far it is, for those who join.
    var stage = FutureImage.State.Stage.waiting
    /// Of the attempts before.
    var past = Transfer.Past()
    /// Of the run that is under way.
    var interims: Interims?
  }

  /// Bytes that were fetched, until every tier that shall have them has them, so that a future made meanwhile finds them.
  struct Staged {
    /// Nil if they turned out to be no picture.
    var encoded: Encoded?
    let entry: FutureImage.CacheEntry
    /// The resolved names of the tiers' places, one or two.
    var places: [String]
    /// How many writes of the key have not ended, those of other bytes before among them.
    var writes: Int
  }

  /// What becomes of a future's wish for bytes, to be told outside of the lock.
  enum BytesAnswer {
    case later
    /// Others fetch them already, and have so much of them, if that is known.
    case underWay(Double?)
    case there(Encoded)
    /// Or not any more: its age is asked outside of the lock.
    case refused(Refusals.Refusal, number: UInt64)
    /// No cache has them, and the source is not to be asked.
    case notCached

    func tell(_ future: FutureImage, _ ticket: UInt32) {
      switch self {
      case .later: break
      case .underWay(let fraction): future.advanced(fraction)
      case .there(let encoded): future.received(encoded, ticket)
      case .refused(let refusal, _) where refusal.holds: future.failed(refusal, ticket)
      case .refused(_, let number): future.askAgain(ticket, past: number)
      case .notCached: future.missed(ticket)
      }
    }
  }

  typealias Asker = (future: FutureImage, ticket: UInt32)

  /// All that the lock guards: three tables, from a disk tier through the source to pixels, and what their jobs need.
  ///
  /// Actions of the tables are performed at once where that calls nobody: to make a task or to queue a block is to write down, not to
  /// run. So no cancel can overtake its start. Cancelling does call (handlers of the task), so those are handed out.
  struct State: Departing {
    /// Objects of the app's, or that own some. See ``Departing``.
    var departed = Departed()
    var lookups: JobTable<LookupKey, Ask, any FutureImage.DiskTier>
    var transfers: JobTable<SourceKey, Ask, TransferInput>
    /// Pictures that views show while their bytes come in.
    var keysWithInterims: Set<SourceKey> = []
    var silence = Silence()
    /// Runs that wait for the app and for no server.
    var callouts: Set<UInt64> = []
    var transferTasks: [UInt64: RunningTask] = [:]
    var decodes: JobTable<PixelPool.Key, Ask, Encoded>
    /// The tasks of those runs of `decodes` that call a closure of the app's.
    var makingTasks: [UInt64: Task<Void, Never>] = [:]
    var live = LiveFutures()
    var backlog = Backlog()
    /// Somebody is taking one out of the backlog.
    var isAdmitting = false
    /// The count of lanes that ran low at the last look through the whole backlog that found nobody to admit. Until it changes, another look
    /// finds nobody either. Nil where not all lanes were asked.
    var lowCountOfVainLook: UInt64?
    /// How often the picture of a key was replaced, where it was.
    var revisions: [SourceKey: UInt32] = [:]
    /// Over the keys of `revisions`.
    var revisionRounds = Rounds<SourceKey>()
    var staged: [SourceKey: Staged] = [:]
    var untold = UntoldBytes()
    let writes: WriteBehind
    /// Of this loader, waiting and running.
    var writesUnderWay = 0
    /// The bytes that may wait for quiet: an eighth of those that pixels may take.
    let patience: Int
    var lull = Lull()
    /// Where an older picture is still to be removed, and how often.
    var outdated: [OutdatedKey: Int] = [:]
    /// Where an older picture stays, because it could be neither replaced nor removed.
    var kept: Set<OutdatedKey> = []
    /// Groups of tiers that are so far behind that removals do not fit, and whether there were so many that all count as such.
    var givenUp: Set<String> = []
    var hasGivenUpMany = false
    /// How long pictures need not be asked about, those that were met last.
    var validities = MemoryCache<SourceKey, Validity>(countLimit: 10_000)
    var refusals = Refusals()
    /// Sources whose last transfer failed: the next is a retry, whoever of its futures asks for it.
    var failedSources: Set<SourceKey> = []
    /// Counts wishes for bytes: who asked first keeps that place from the disk tiers' queue to the transfers'.
    var lastOrder: UInt64 = 0
    var statistics = FutureImage.Statistics()
    var denials = Denials()
    /// A picture was too large for a disk tier.
    var hasReportedTooLarge = false
    /// What the app says of the network.
    var network: FutureImage.NetworkTraits = []
    /// Answers and deliveries under way.
    var pendingWork = 0
    var settling: [Settling] = []

    init(_ configuration: Configuration) {
      writes = configuration.writes
      patience = min(configuration.pixelLimit / 8, TierWrites.largestPatience)
      lookups = JobTable(limit: 64, laneLimit: 8, low: Self.few) { $0.key }
      transfers = JobTable(
        limit: configuration.maxTransfers, laneLimit: configuration.maxTransfersPerHost, yieldLimit: 3 * configuration.maxTransfers,
        low: Self.few)
      decodes = JobTable(limit: configuration.maxDecodes) { $0.variant.source }
    }

    mutating func moveDeparted(to departed: inout Departed) {
      self.departed.move(to: &departed)
      lookups.moveDeparted(to: &departed)
      transfers.moveDeparted(to: &departed)
      decodes.moveDeparted(to: &departed)
      refusals.moveDeparted(to: &departed)
    }

    /// Nothing that is here already is worked on for somebody who waits.
    var isQuiet: Bool { lookups.isEmpty && decodes.isEmpty && pendingWork == 0 }

    var isIdle: Bool { isQuiet && transfers.isEmpty && backlog.isEmpty && writesUnderWay == 0 }
  }
}

extension FutureImage.Loader.State {
  typealias Loader = FutureImage.Loader

  mutating func newOrder() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }

  // MARK: Lookups

  mutating func wantLookup(_ ask: Ask, _ descriptor: Descriptor, _ reason: Rank.Reason, in tier: any FutureImage.DiskTier) {
    let lookup = Loader.LookupKey(descriptor.key, tier)
    let (joined, actions) = lookups.want(
      lookup, lane: tier.group, reason: reason, priority: descriptor.priority, order: newOrder(), waiter: ask, input: tier)
    if joined { statistics.joined += 1 }
    perform(actions, by: descriptor.loader)
  }

  /// To be followed by `workEnded`, when the futures have been told.
  mutating func finishLookup(_ lookup: Loader.LookupKey, run: UInt64, by loader: Loader) -> [Loader.Asker] {
    let (waiters, actions) = lookups.finish(lookup, run: run)
    lull.somethingEnded()
    perform(actions, by: loader)
    pendingWork += 1
    return live.askers(waiters ?? [], key: lookup.key)
  }

  /// - Returns: whether anybody still wants that run; else it has ended before it began.
  mutating func beginLookup(_ lookup: Loader.LookupKey, run: UInt64, by loader: Loader) -> Bool {
    if lookups.isRunning(lookup, run: run) { return true }
    perform(lookups.finish(lookup, run: run).actions, by: loader)
    return false
  }

  /// A read cannot be stopped: a cancelled one ends unheard.
  private mutating func perform(_ actions: [JobTable<Loader.LookupKey, Ask, any FutureImage.DiskTier>.Action], by loader: Loader) {
    for case .start(let lookup, let run) in actions {
      guard let tier = lookups[lookup] else { continue }
      loader.beginLookup(lookup, run: run, in: tier, lookups.rank(of: lookup)?.taskPriority ?? .medium)
    }
  }

  // MARK: Transfers

  /// A source that failed for good a moment ago is not asked again by itself, nor one whose future looks in caches only.
  /// - Parameters:
  ///   - miss: the tier that had nothing.
  ///   - order: the wish's place among those that were asked for there.
  mutating func wantTransferUnlessRefused(
    _ ask: Ask, _ descriptor: Descriptor, _ reason: Rank.Reason, _ purpose: Loader.Purpose = .first,
    after miss: (any FutureImage.DiskTier)? = nil, order: UInt64? = nil
  ) -> Loader.BytesAnswer {
    guard descriptor.policy.asksSource else { return .notCached }
    if let (refusal, number) = refusals.refusal(of: descriptor.key) { return .refused(refusal, number: number) }
    let joined = wantTransfer(ask, descriptor, reason, purpose: purpose, missed: miss.map { [$0] } ?? [], order: order)
    if joined, case .loading(let fraction) = transfers[descriptor.key]?.stage { return .underWay(fraction) }
    return .later
  }

  /// - Returns: whether the transfer was wanted before.
  @discardableResult mutating func wantTransfer(
    _ ask: Ask, _ descriptor: Descriptor, _ reason: Rank.Reason, purpose: Loader.Purpose = .first,
    missed: [any FutureImage.DiskTier] = [], order: UInt64? = nil
  ) -> Bool {
    let key = descriptor.key
    let before = transfers[key]?.purpose
    if let before {
      if before.rawValue < purpose.rawValue { transfers.change(key) { $0.purpose = purpose } }
      if !missed.isEmpty { transfers.change(key) { $0.missed += missed } }
    } else if failedSources.remove(key) != nil {
      statistics.retries += 1
    }
    let (joined, actions) = transfers.want(
      key, lane: descriptor.source.lane, reason: reason, priority: descriptor.priority, order: order ?? newOrder(), waiter: ask,
      input: Loader.TransferInput(descriptor: descriptor, missed: missed, purpose: purpose))
    if joined { statistics.joined += 1 }
    _ = perform(actions, by: descriptor.loader)
    if before != nil { escalateTransfer(key) }
    return before != nil
  }

  /// A transfer that became more urgent while it runs does so for the system, too.
  mutating func escalateTransfer(_ key: SourceKey) {
    guard let run = transfers.run(of: key), let rank = transfers.rank(of: key) else { return }
    transferTasks[run]?.escalate(to: rank.taskPriority)
  }

  /// To be followed by `workEnded`, when the futures have been told.
  /// - Returns: the futures that waited, or nil if nobody wants to know of that run any more.
  mutating func finishTransfer(_ key: SourceKey, run: UInt64, by loader: Loader) -> [Loader.Asker]? {
    let (waiters, actions) = transfers.finish(key, run: run)
    lull.somethingEnded()
    transferTasks[run] = nil
    pendingWork += 1
    _ = perform(actions, by: loader)
    return waiters.map { live.askers($0, key: key) }
  }

  /// - Returns: the futures to tell that it runs; nil if nobody wants that run any more: it has ended before it began.
  mutating func beginTransfer(_ key: SourceKey, run: UInt64, _ interims: Interims, by loader: Loader) -> [FutureImage]? {
    guard transfers.change(key, run: run, { $0.interims = interims }) != nil else {
      _ = perform(transfers.finish(key, run: run).actions, by: loader)
      return nil
    }
    return advanceTransfer(key, run: run, to: nil)
  }

  /// - Parameter hasGrown: whether more bytes are news, although the fraction is the same.
  /// - Returns: the futures to tell, if that is news.
  mutating func advanceTransfer(_ key: SourceKey, run: UInt64, to fraction: Double?, hasGrown: Bool = false) -> [FutureImage] {
    heard(run)
    let isNews = transfers.change(key, run: run) { input in
      if case .loading(fraction) = input.stage { return hasGrown }
      input.stage = .loading(fraction)
      return true
    }
    guard isNews == true else { return [] }
    return live.askers(transfers.waiters(of: key), key: key).map(\.future)
  }

  /// The attempt failed, and another comes after a wait: meanwhile others get its slot.
  /// - Returns: whether anybody still wants it.
  mutating func parkTransfer(_ key: SourceKey, run: UInt64, _ past: Transfer.Past, by loader: Loader) -> Bool {
    guard transfers.change(key, run: run, { $0.past = past }) != nil else { return false }
    _ = perform(transfers.park(key, run: run), by: loader)
    return true
  }

  /// The wait is over, or not waited for any longer.
  /// - Parameter only: if given, only if it is this one that waits.
  /// - Returns: the task that still waits, to be cancelled.
  mutating func unparkTransfer(_ key: SourceKey, _ only: UInt64? = nil, by loader: Loader) -> Task<Void, Never>? {
    guard let run = transfers.parkedRun(of: key), only ?? run == run else { return nil }
    statistics.retries += 1
    _ = perform(transfers.unpark(key, run: run), by: loader)
    return transferTasks.removeValue(forKey: run)?.task
  }

  /// - Returns: the tasks to cancel.
  @discardableResult mutating func perform(
    _ actions: [JobTable<SourceKey, Ask, Loader.TransferInput>.Action], by loader: Loader
  ) -> [Task<Void, Never>] {
    defer { watchSilenceIfCrowded(by: loader) }
    var cancelled: [Task<Void, Never>] = []
    for action in actions {
      switch action {
      case .start(let key, let run):
        guard let input = transfers[key] else { continue }
        let priority = transfers.rank(of: key)?.taskPriority ?? .medium
        transferTasks[run] = RunningTask(loader.makeTransferTask(key, run: run, input, priority), priority)
      case .cancel(_, let run):
        if let running = transferTasks.removeValue(forKey: run) { cancelled.append(running.task) }
      }
    }
    return cancelled
  }

  /// The future waits for bytes no more.
  /// - Returns: the tasks to cancel.
  mutating func dropBytes(_ ask: Ask, _ descriptor: Descriptor) -> [Task<Void, Never>] {
    if let tier = descriptor.disk {
      let lookup = Loader.LookupKey(descriptor.key, tier)
      perform(lookups.drop(lookup, waiter: ask), by: descriptor.loader)
    }
    return perform(transfers.drop(descriptor.key, waiter: ask), by: descriptor.loader)
  }

  /// Another picture takes the place of what is fetched.
  /// - Returns: the wishes that nobody else will answer now, and the tasks to cancel.
  mutating func endTransfer(_ key: SourceKey, by loader: Loader) -> (dropped: [Ask], cancelled: [Task<Void, Never>]) {
    let dropped = transfers.waiters(of: key)
    return (dropped, perform(transfers.remove(key), by: loader))
  }

  // MARK: Decodes

  mutating func wantDecode(_ ask: Ask, _ descriptor: Descriptor, _ key: PixelPool.Key, _ encoded: Encoded, _ reason: Rank.Reason) {
    // A closure may wait for another picture, which must not wait for its slot.
    let lane = encoded.sized == nil ? "" : nil
    let (_, actions) = decodes.want(key, lane: lane, reason: reason, priority: descriptor.priority, waiter: ask, input: encoded)
    perform(actions, by: descriptor.loader)
  }

  /// To be followed by `workEnded`, when the futures have been told.
  mutating func finishDecode(_ key: PixelPool.Key, run: UInt64, by loader: Loader) -> [Loader.Asker]? {
    let (waiters, actions) = decodes.finish(key, run: run)
    makingTasks[run] = nil
    lull.somethingEnded()
    statistics.decodes += 1
    pendingWork += 1
    perform(actions, by: loader)
    return waiters.map { live.askers($0, key: key.variant.source) }
  }

  mutating func dropDecode(_ ask: Ask, _ key: PixelPool.Key, by loader: Loader) {
    perform(decodes.drop(key, waiter: ask), by: loader)
  }

  /// The picture changed: what is being read or decoded of the old one is of no use.
  /// - Returns: the revision of the new one, and the wishes that nobody else will answer now.
  mutating func replace(_ source: SourceKey, by loader: Loader) -> (revision: UInt32, dropped: [Ask]) {
    let dropped = lookups.keys(of: source).flatMap { lookups.waiters(of: $0) }
    for key in lookups.keys(of: source) { perform(lookups.remove(key), by: loader) }
    for key in decodes.keys(of: source) { perform(decodes.remove(key), by: loader) }
    if revisions[source] == nil { revisionRounds.add(source) }
    let revision = (revisions[source] ?? 0) + 1
    revisions[source] = revision
    forgetRevisions(besides: source, by: loader)
    return (revision, dropped)
  }

  /// Forgets how often pictures were replaced that nobody has any more, a few at a time and while there are many. Their pixels go along,
  /// for newcomers count from the start.
  private mutating func forgetRevisions(besides new: SourceKey, by loader: Loader) {
    guard revisions.count > 256 else { return }
    var rounds = revisionRounds
    revisionRounds = Rounds()
    rounds.look { source in
      if source == new || live.contains(key: source) || staged[source] != nil { return true }
      revisions[source] = nil
      // Inside the lock, so that no newcomer finds them.
      departed.add(loader.pool.take(source: source))
      return false
    }
    revisionRounds = rounds
  }

  /// - Returns: whether anybody still wants that run; else it has ended before it began.
  mutating func beginDecode(_ key: PixelPool.Key, run: UInt64, by loader: Loader) -> Bool {
    if decodes.isRunning(key, run: run) { return true }
    perform(decodes.finish(key, run: run).actions, by: loader)
    return false
  }

  /// A decode that has begun is not stopped: its pixels are thrown away. The closure of a sized source is cancelled.
  private mutating func perform(_ actions: [JobTable<PixelPool.Key, Ask, Encoded>.Action], by loader: Loader) {
    for action in actions {
      switch action {
      case .start(let key, let run):
        guard let encoded = decodes[key] else { continue }
        guard let source = encoded.sized else {
          loader.decoding.submit { loader.runDecode(key, run: run, encoded) }
          continue
        }
        let priority = decodes.rank(of: key)?.taskPriority ?? .medium
        makingTasks[run] = Scheduling.task("a rendition", priority: priority) { await loader.runMaking(key, run: run, encoded, by: source) }
      case .cancel(_, let run):
        // Handlers of the app's run when a task is cancelled: not in the lock.
        if let task = makingTasks.removeValue(forKey: run) { departed.add(CancelledOnRelease(task)) }
      }
    }
  }
}
