extension FutureImage.Loader {
  /// Where a picture is still to be removed.
  struct OutdatedKey: Hashable {
    let key: SourceKey
    let place: String

    init(_ key: SourceKey, _ place: String) {
      self.key = key
      self.place = place
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
