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

  /// The immediate reply to a request for bytes.
  enum Reply {
    /// Its answer comes later.
    case later
    case answer(Answer)
    /// The source has failed for good. Whether that still answers is asked outside of the lock.
    case refusal(Refusals.Refusal, number: UInt64)
  }

  typealias LookupTable = JobTable<LookupKey, LoadRequest, any FutureImage.DiskTier>
  typealias TransferTable = JobTable<SourceKey, LoadRequest, TransferInput>
  typealias DecodeTable = JobTable<PixelPool.Key, LoadRequest, Encoded>

  /// All that the lock guards: three tables, from a disk tier through the source to pixels, and what their jobs need.
  ///
  /// It is changed by ``change(_:)``, which performs what follows.
  struct State: Departing {
    /// Objects of the app's, or that own some. See ``Departing``.
    var departed = Departed()
    /// The consequences of the change under way.
    var effects = Effects()
    var lookups: LookupTable
    var transfers: TransferTable
    var silence = Silence()
    /// Runs that wait for the app and for no server.
    var callouts: Set<UInt64> = []
    var transferTasks: [UInt64: RunningTask] = [:]
    var decodes: DecodeTable
    /// The tasks of those runs of `decodes` that call a closure of the app's.
    var makingTasks: [UInt64: Task<Void, Never>] = [:]
    var pictures = Pictures()
    var backlog = Backlog()
    /// Somebody is taking one out of the backlog.
    var isAdmitting = false
    /// The count of lanes that ran low at the last look through the whole backlog that found nobody to admit. Until it changes, another look
    /// finds nobody either. Nil where not all lanes were asked.
    var lowCountOfVainLook: UInt64?
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

  mutating func requestLookup(_ request: LoadRequest, _ descriptor: Descriptor, _ reason: Rank.Reason, in tier: any FutureImage.DiskTier) {
    let lookup = Loader.LookupKey(descriptor.key, tier)
    let (joined, _, actions) = lookups.want(
      lookup, lane: tier.group, reason: reason, priority: descriptor.priority, order: newOrder(), waiter: request, input: tier)
    if joined { statistics.joined += 1 }
    effects.note(actions)
  }

  /// - Returns: whether anybody still wants that run; else it has ended before it began.
  mutating func beginLookup(_ lookup: Loader.LookupKey, run: UInt64) -> Bool {
    if lookups.isRunning(lookup, run: run) { return true }
    effects.note(lookups.finish(lookup, run: run).actions)
    effects.note(.slot)
    return false
  }

  /// - Returns: the requests that waited for it.
  mutating func finishLookup(_ lookup: Loader.LookupKey, run: UInt64) -> Waiters<LoadRequest> {
    let (waiters, actions) = lookups.finish(lookup, run: run)
    lull.somethingEnded()
    effects.note(actions)
    return waiters ?? []
  }

  // MARK: Transfers

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

  // MARK: Decodes

  mutating func requestDecode(
    _ request: LoadRequest, _ descriptor: Descriptor, _ key: PixelPool.Key, _ encoded: Encoded, _ reason: Rank.Reason
  ) {
    // A closure may wait for another picture, which must not wait for its slot.
    let lane = encoded.sized == nil ? "" : nil
    effects.note(
      decodes.want(key, lane: lane, reason: reason, priority: descriptor.priority, waiter: request, input: encoded).actions)
  }

  /// - Returns: whether anybody still wants that run; else it has ended before it began.
  mutating func beginDecode(_ key: PixelPool.Key, run: UInt64) -> Bool {
    if decodes.isRunning(key, run: run) { return true }
    effects.note(decodes.finish(key, run: run).actions)
    return false
  }

  /// - Returns: the requests that waited; nil if nobody wants to know of that run any more.
  mutating func finishDecode(_ key: PixelPool.Key, run: UInt64) -> Waiters<LoadRequest>? {
    let (waiters, actions) = decodes.finish(key, run: run)
    makingTasks[run] = nil
    lull.somethingEnded()
    statistics.decodes += 1
    effects.note(actions)
    return waiters
  }

  // MARK: Canceling and replacing

  /// The future needs them no more, whether they were registered or not.
  mutating func cancel(_ requests: [LoadRequest], _ descriptor: Descriptor) {
    for request in requests {
      request.isCanceled = true
      if let key = request.pixels {
        effects.note(decodes.drop(key, waiter: request))
        continue
      }
      if let tier = descriptor.disk { effects.note(lookups.drop(Loader.LookupKey(descriptor.key, tier), waiter: request)) }
      effects.note(transfers.drop(descriptor.key, waiter: request))
    }
    effects.note(.work)
  }

  /// The picture changed: what is being read or decoded of the old one is of no use. Once all futures have been told, the caller ends the
  /// change of their memory tiers (``Pictures/endMemoryChange(_:)``).
  /// - Returns: the generation of the new one, and the requests that nobody else will answer now.
  mutating func replace(_ source: SourceKey, in pool: PixelPool) -> (generation: UInt32, dropped: [Waiters<LoadRequest>]) {
    let dropped = lookups.keys(of: source).map { lookups.waiters(of: $0) }
    for key in lookups.keys(of: source) { effects.note(lookups.remove(key)) }
    for key in decodes.keys(of: source) { effects.note(decodes.remove(key)) }
    let generation = pictures.replace(source)
    pictures.beginMemoryChange(source)
    // Inside the lock, so that no newcomer finds the pixels.
    for key in pictures.forgetReplaced(besides: source) { departed.add(pool.take(source: key)) }
    return (generation, dropped)
  }
}
