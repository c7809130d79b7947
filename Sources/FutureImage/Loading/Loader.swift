extension FutureImage {
  /// Loads the images of many futures: one transfer per key, one decode per size, the most urgent first.
  ///
  /// Most apps use ``shared``. Another loader has its own caches, limits and statistics:
  ///
  ///     var configuration = FutureImage.Loader.Configuration()
  ///     configuration.maxPixelBytes = 64 << 20
  ///     let loader = FutureImage.Loader(configuration)
  ///
  /// Futures are created, canceled and released on any thread, synchronously, so a loader is a lock around plain objects and not an actor.
  /// Transfers (tasks), disk tiers (their own queues), decoding (the loader's queue) and delivery (main actor) run outside that lock.
  public final class Loader: Sendable {
    /// The loader of futures that are given no other. It has the default configuration, or the one passed to ``configureShared(_:)``.
    public static let shared = Loader(SharedConfiguration.program.take())

    /// The loader's configuration. Settings that can change later are properties of the loader.
    public let configuration: Configuration

    let pool: PixelPool
    let main: MainQueue
    let state: Lock<State>
    /// The pool hits, under their own lock: each view bound to an available image counts one and needs nothing else of the loader.
    private let poolHits = Lock(0)
    let decoding: WorkQueue
    /// Runs the transfers that do nothing but wait for the fetcher.
    let transferHost: (any TaskHost)?
    private let memoryWarnings: MemoryWarnings
    /// Ends with the loader.
    private let networkWatch = Lock<(any Sendable)?>(nil)

    /// Creates a loader with its own pool and, unless the configuration says otherwise, the program's disk cache. Fetches nothing.
    public convenience init(_ configuration: Configuration = Configuration()) {
      self.init(configuration, notifications: .default)
    }

    /// - Parameter watchNetwork: calls the closure when a network returns, as long as its result is retained.
    init(
      _ configuration: Configuration, notifications: NotificationCenter,
      watchNetwork: (_ onReturn: @escaping @Sendable () -> Void) -> (any Sendable)? = { watchPlatformNetwork(onReturn: $0) }
    ) {
      self.configuration = configuration
      pool = PixelPool(limit: configuration.maxPixelBytes)
      main = configuration.mainTurns.map(MainQueue.init) ?? MainQueue()
      decoding = WorkQueue(label: "FutureImage.decoding", width: configuration.maxDecodes, qos: configuration.decodingQoS)
      transferHost = configuration.fetcher as? any TaskHost
      state = Lock(State(configuration), rank: .loader)
      memoryWarnings = MemoryWarnings(from: notifications, emptying: pool)
      let watch = watchNetwork { [weak self] in self?.retryAwaited() }
      networkWatch.withLock { $0 = watch }
      configuration.onCreation?(self)
    }

    /// The statistics since the loader was created.
    public var statistics: Statistics {
      var statistics = state.withLock { $0.statistics }
      statistics.longestMainStretch = main.longestStretch
      statistics.longestMainWork = main.longestWork
      statistics.evictions = pool.evictionCount
      statistics.poolHits = poolHits.withLock { $0 }
      return statistics
    }

    /// The reasons to limit traffic on the network, which the app knows where the system cannot. After a change, images that the old value
    /// held back load when ``retryFailed()`` is called or when they are bound again.
    public var network: FutureImage.NetworkTraits {
      get { state.withLock { $0.network } }
      set { state.withLock { $0.network = newValue } }
    }

    /// The size of the decoded pixels in the pool, in bytes: never more than the configuration's `maxPixelBytes`.
    public var pixelBytes: Int { pool.byteCount }

    /// Releases all decoded pixels that are not on screen, as a memory warning does.
    public func removeCachedPixels() { pool.removeUnshown() }
  }
}

extension FutureImage.Loader {
  /// Runs the work on the main actor, after everything that was delivered before.
  func deliver(_ work: @escaping MainQueue.Work) {
    state.withLock { $0.work.pending += 1 }
    main.add {
      work()
      self.endWork()
    }
  }

  /// Ends work that was counted as pending.
  func endWork() {
    change { state in
      state.work.pending -= 1
      state.effects.noteEnd()
    }
  }

  /// Returns once nothing is being loaded, decoded, stored, or delivered. For tests and tools: an image that is shown in the meantime
  /// prolongs the wait. It does not wait for the app's tasks, such as loops over phases.
  public func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      change { state in
        state.work.settling.append(continuation)
        state.effects.noteEnd()
      }
    }
  }

  /// Whether readers of the image are registered, followers included, or pixels of it are alive.
  func isInUse(_ key: SourceKey) -> Bool {
    let hasFutures = state.withLock { state in
      state.pictures[key].map { !$0.readers.isEmpty || !$0.notes.movedReaders.isEmpty } ?? false
    }
    return hasFutures || !pool.decodes(of: key).isEmpty
  }

  /// Reports a cache failure. Failures because the device is locked, or because an image exceeds its share of a cache, are not reported for
  /// every image.
  /// - Parameter place: the place of the write that failed.
  func report(cacheFault error: any Error, _ key: SourceKey, at place: TierLocation? = nil) {
    let isDenial = error.isDenied
    guard state.withLock({ $0.reports.denials.mustReportFailure(isDenial: isDenial, of: place?.group) }) else { return }
    if (error as? FutureImage.FileFailure)?.isTooLarge ?? false {
      let isKnown = state.withLock { state in
        defer { state.reports.hasReportedTooLarge = true }
        return state.reports.hasReportedTooLarge
      }
      if isKnown { return }
    }
    // The error's description runs code of the app's.
    let text = "\(error)"
    tell(.cacheFault(text), key)
    state.withLock {
      $0.statistics.cacheFaults += 1
      $0.statistics.lastCacheFault = text
    }
  }

  func countPoolHit() { poolHits.withLock { $0 += 1 } }
}

extension FutureImage.Loader {
  // MARK: Holds and retries

  /// Requests nothing of a host for a time, because its server wants no requests. Transfers of other hosts get the slots meanwhile.
  func hold(host lane: String?, for time: Duration) {
    guard let lane else { return }
    state.withLock { $0.fetches.hold(lane: lane) }
    _ = Scheduling.task("a hold of a host") { [weak self, clock = configuration.clock] in
      try? await clock.sleep(for: time)
      self?.change { $0.fetches.release(lane: lane) }
    }
  }

  /// Retries at once all images that have failed or wait for their next attempt. Call it when the app learns that the network is back, or
  /// that its user has logged in. Permanent failures are retried as well, because a network that requires a login first answers with pages
  /// of its own. Canceled futures stay as they are.
  ///
  /// Any thread may call it.
  public func retryFailed() {
    endWaits()
    forgetFailures { _ in true }
    retry { _ in true }
  }

  /// Retries at once the images that wait for their next attempt, and those that somebody waits for and that failed for a reason that may
  /// have passed.
  func retryAwaited() {
    endWaits()
    forgetFailures(where: \.mayHavePassed)
    retry { $0.failure?.failure.isTransient == true && ($0.isBound || $0.observers != nil) }
  }

  private func endWaits() {
    change { state in visit(state.fetches.parkedJobs, &state) { [self] fetch, state in unpark(fetch, &state) } }
  }

  /// Forgets the failures of sources. All of them before any retry: a sized source may wait for another image.
  private func forgetFailures(where isMeant: (FailureMemory) -> Bool) {
    for part in 0..<Registry.partCount {
      state.withLock { state in
        for picture in state.pictures.pictures(inPart: part) {
          let failureMemory = picture.remembered.failureMemory
          if failureMemory.isEmpty || !isMeant(failureMemory) { continue }
          picture.forgetFailures(&state.departed)
          state.pictures.forgetIfOver(picture)
        }
      }
    }
  }

  private func retry(where isMeant: @escaping (Reader) -> Bool) {
    let now = configuration.now()
    for part in 0..<Registry.partCount {
      for picture in state.withLock({ $0.pictures.pictures(inPart: part).filter { !$0.readers.isEmpty } }) {
        change { state in
          visit(picture.readers.all, &state) { [self] reader, state in
            if isMeant(reader) { retry(reader, at: now, &state) }
          }
        }
      }
    }
  }

  /// Starts over after a failure other than a cancellation.
  private func retry(_ reader: Reader, at now: Date, _ state: inout State) {
    guard !reader.isPending, let remembered = reader.failure, !remembered.failure.isCancelled else { return }
    if reader.fullSize != nil {
      // The missing pixels are known once the views are measured.
      setFailure(nil, of: reader, &state)
      commit(reader, &state)
    }
    loadMissing(reader, retrying: .always, at: now, &state)
  }
}
