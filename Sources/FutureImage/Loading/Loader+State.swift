extension FutureImage.Loader {
  /// The state that the lock guards: three tables, from a disk tier through the source to pixels, and all that their jobs need.
  ///
  /// Change it with ``change(_:)``, which performs the consequences.
  struct State: Departing {
    /// Objects of the app, or that own some. See ``Departing``.
    var departed = Departed()
    /// The consequences of the change under way.
    var effects = Effects()
    var lookups: LookupTable
    var transfers: TransferTable
    var silence = Silence()
    /// The runs that wait for the app and not for a server.
    var callouts: Set<UInt64> = []
    var transferTasks: [UInt64: RunningTask] = [:]
    var decodes: DecodeTable
    /// The tasks of those runs of `decodes` that call a closure of the app.
    var makingTasks: [UInt64: Task<Void, Never>] = [:]
    var pictures = Pictures()
    var backlog = Backlog()
    /// Whether a thread is taking a future out of the backlog.
    var isAdmitting = false
    /// The value of `lowCount` at the last search of the whole backlog that found no future to admit. Until the count changes, another
    /// search finds none either. Nil if not all lanes were tried.
    var lowCountOfVainLook: UInt64?
    var lull = Lull()
    /// The times until which recently used images need no revalidation.
    var validities = MemoryCache<SourceKey, Validity>(countLimit: 10_000)
    var refusals = Refusals()
    /// Counts requests for bytes, so that they keep their order from the disk tiers' queue to the transfers'.
    var lastOrder: UInt64 = 0
    var statistics = FutureImage.Statistics()
    var denials = Denials()
    /// Whether it was reported that an image is too large for a disk tier.
    var hasReportedTooLarge = false
    /// The traits of the network that the app has set.
    var network: FutureImage.NetworkTraits = []
    /// The number of answers and deliveries under way.
    var pendingWork = 0
    var settling: [Settling] = []

    init(_ configuration: Configuration) {
      lookups = JobTable(limit: 64, laneLimit: 8, low: Self.few) { $0.key }
      transfers = JobTable(
        limit: configuration.maxTransfers, laneLimit: configuration.maxTransfersPerHost, yieldLimit: 3 * configuration.maxTransfers,
        laneYields: 3, low: Self.few)
      decodes = JobTable(limit: configuration.maxDecodes) { $0.variant.source }
    }

    mutating func moveDeparted(to departed: inout Departed) {
      self.departed.move(to: &departed)
      lookups.moveDeparted(to: &departed)
      transfers.moveDeparted(to: &departed)
      decodes.moveDeparted(to: &departed)
      refusals.moveDeparted(to: &departed)
    }

    /// Whether no work is under way that others wait for, other than transfers.
    var isQuiet: Bool { lookups.isEmpty && decodes.isEmpty && pendingWork == 0 }

    /// Whether no work is under way, other than writes.
    var isIdle: Bool { isQuiet && transfers.isEmpty && backlog.isEmpty }
  }
}

extension FutureImage.Loader.State {
  typealias Loader = FutureImage.Loader

  mutating func newOrder() -> UInt64 {
    lastOrder += 1
    return lastOrder
  }

  // MARK: Canceling and replacing

  /// Cancels requests that the future no longer needs, whether they were registered or not.
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

  /// Replaces the image, and ends the lookups and decodes of the old one, which are of no use. After all futures have been notified, the
  /// caller ends the change of their memory tiers (``Pictures/endMemoryChange(_:)``).
  /// - Returns: the generation of the new image, and the requests that only the caller can answer now.
  mutating func replace(_ source: SourceKey, in pool: PixelPool) -> (generation: UInt32, dropped: [Waiters<LoadRequest>]) {
    let dropped = lookups.keys(of: source).map { lookups.waiters(of: $0) }
    for key in lookups.keys(of: source) { effects.note(lookups.remove(key)) }
    for key in decodes.keys(of: source) { effects.note(decodes.remove(key)) }
    let generation = pictures.replace(source)
    pictures.beginMemoryChange(source)
    // Inside the lock, so that no new future finds the pixels.
    for key in pictures.forgetReplaced(besides: source) { departed.add(pool.take(source: key)) }
    return (generation, dropped)
  }
}
