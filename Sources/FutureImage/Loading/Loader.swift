extension FutureImage {
  /// Loads the images of many futures: one transfer per key, one decode per size, the most urgent first.
  ///
  /// Most apps use ``shared``. Another loader has its own caches, limits and statistics:
  ///
  ///     var configuration = FutureImage.Loader.Configuration()
  ///     configuration.maxPixelBytes = 64 << 20
  ///     let loader = FutureImage.Loader(configuration)
  ///
  /// Futures are created, canceled, and released synchronously, on any thread. So a loader is a lock around plain objects, and not an
  /// actor. Transfers (tasks), disk tiers (their own queues), decoding (the loader's queue), and delivery (main actor) run outside that
  /// lock.
  public final class Loader: Sendable {
    /// The loader of futures that specify no other loader. It has the default configuration, or the one passed to ``configureShared(_:)``.
    public static let shared = Loader(SharedConfiguration.program.take())

    /// The loader's configuration. Settings that can change later are properties of the loader.
    public let configuration: Configuration

    let pool: PixelPool
    let main: MainQueue
    let state: Lock<State>
    /// The number of pool hits, under a lock of its own. A view that is bound to an available image counts one hit, and needs nothing else
    /// of the loader.
    private let poolHits = Lock(0)
    let decoding: WorkQueue
    /// Limits the number of files that are read at a time to be encoded. Otherwise, the bytes of thousands of files would wait for the
    /// decoding queue.
    let filesToEncode: AsyncSemaphore
    /// Runs the tasks of transfers that await nothing but the fetcher. Nil if the fetcher runs no tasks.
    let transferHost: (any TaskHost)?
    private let memoryWarnings: MemoryWarnings
    /// The observation of the network, which ends with the loader.
    private let networkObservation = Lock<(any Sendable)?>(nil)

    /// Creates a loader with its own pool and, unless the configuration says otherwise, the program's disk cache. Fetches nothing.
    public convenience init(_ configuration: Configuration = Configuration()) {
      self.init(configuration, notifications: .default)
    }

    /// - Parameter watchNetwork: observes the network until the object that it returns is released. Calls its argument `onReturn` whenever
    ///   a network is available again.
    init(
      _ configuration: Configuration, notifications: NotificationCenter,
      watchNetwork: (_ onReturn: @escaping @Sendable () -> Void) -> (any Sendable)? = { watchPlatformNetwork(onReturn: $0) }
    ) {
      self.configuration = configuration
      pool = PixelPool(limit: configuration.maxPixelBytes)
      main = configuration.mainTurns.map(MainQueue.init) ?? MainQueue()
      decoding = WorkQueue(label: "FutureImage.decoding", width: configuration.maxDecodes, qos: .userInitiated)
      // One file is read while the others are decoded.
      filesToEncode = AsyncSemaphore(limit: max(1, configuration.maxDecodes) + 1)
      transferHost = configuration.fetcher as? any TaskHost
      state = Lock(State(configuration), rank: .loader)
      memoryWarnings = MemoryWarnings(from: notifications, emptying: pool)
      let observation = watchNetwork { [weak self] in self?.retryAwaited() }
      networkObservation.withLock { $0 = observation }
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

    /// The reasons to limit traffic on the network. The app sets them where the system cannot detect them. After a change, images that did
    /// not load because of the former value are loaded when ``retryFailed()`` is called, or when they are bound again.
    public var network: Set<FutureImage.NetworkTrait> {
      get { state.withLock { $0.network } }
      set { state.withLock { $0.network = newValue } }
    }

    /// The size of the decoded pixels in the pool, in bytes. It never exceeds the configuration's `maxPixelBytes`.
    public var pixelBytes: Int { pool.byteCount }

    /// Releases all decoded pixels that are not on screen, as a memory warning does.
    public func removeCachedPixels() { pool.evictAll() }
  }
}

extension FutureImage.Loader {
  /// Runs the work on the main actor, after all work that was delivered before.
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

  /// Returns once nothing is being loaded, decoded, stored, or delivered. Use it in tests and tools, because each image that is shown in
  /// the meantime prolongs the wait. It does not wait for the app's tasks, such as loops over phases.
  public func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      change { state in
        state.work.settling.append(continuation)
        state.effects.noteEnd()
      }
    }
  }

  /// Whether readers of the image are registered, including followers, or pixels of the image exist in memory.
  func isInUse(_ key: SourceKey) -> Bool {
    let hasFutures = state.withLock { state in
      state.pictures[key].map { !$0.readers.isEmpty || !$0.notes.movedReaders.isEmpty } ?? false
    }
    return hasFutures || !pool.decodes(of: key).isEmpty
  }

  /// Reports a cache failure. Some failures would occur for every image, because the device is locked, or because images exceed their share
  /// of a cache. These failures are not reported every time.
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
    // The description of the error may run code of the app.
    let text = "\(error)"
    report(.cacheFault(text), key)
    state.withLock {
      $0.statistics.cacheFaults += 1
      $0.statistics.lastCacheFault = text
    }
  }

  func countPoolHit() { poolHits.withLock { $0 += 1 } }
}

extension FutureImage.Loader {
  // MARK: Holds and retries

  /// Prevents new transfers to a host for a time, because its server has demanded a pause. Meanwhile, transfers to other hosts can use the
  /// slots.
  func hold(host lane: String?, for time: Duration) {
    guard let lane else { return }
    state.withLock { $0.fetches.hold(lane: lane) }
    _ = Scheduling.task("a hold of a host") { [weak self, clock = configuration.clock] in
      try? await clock.sleep(for: time)
      self?.change { $0.fetches.release(lane: lane) }
    }
  }

  /// Retries at once all images that have failed or wait for their next attempt. Call it when the app detects that the network is back, or
  /// when the user has logged in. Permanent failures are retried as well, because a network that requires a login first responds with its
  /// own pages. Canceled futures do not change.
  ///
  /// Any thread may call it.
  public func retryFailed() {
    endWaits()
    forgetFailures { _ in true }
    retry { _ in true }
  }

  /// Retries at once the images that wait for their next attempt. Also retries the images that views show or code observes, if they failed
  /// for a reason that may have passed.
  func retryAwaited() {
    endWaits()
    forgetFailures(where: \.mayHavePassed)
    retry { $0.failure?.failure.isTransient == true && ($0.isBound || $0.observers != nil) }
  }

  private func endWaits() {
    change { state in visit(state.fetches.parkedJobs, &state) { [self] fetch, state in unpark(fetch, &state) } }
  }

  /// Forgets the failures of sources. The caller retries no image before all failures are forgotten. A sized source may await another
  /// image, and would fail again if the failure of that image were still remembered.
  private func forgetFailures(where isMeant: (FailureMemory) -> Bool) {
    for part in 0..<Registry.partCount {
      state.withLock { state in
        for picture in state.pictures.pictures(inPart: part) {
          let failureMemory = picture.remembered.failureMemory
          if failureMemory.isEmpty || !isMeant(failureMemory) { continue }
          picture.forgetFailures(&state.departed)
          state.pictures.dropIfUnused(picture)
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

  /// Retries a reader after a failure other than a cancellation.
  private func retry(_ reader: Reader, at now: Date, _ state: inout State) {
    guard !reader.isPending, let remembered = reader.failure, !remembered.failure.isCancelled else { return }
    if reader.fullSize != nil {
      // The missing pixels are known after the views are measured.
      setFailure(nil, of: reader, &state)
      commit(reader, &state)
    }
    loadMissing(reader, retrying: .always, at: now, &state)
  }
}
