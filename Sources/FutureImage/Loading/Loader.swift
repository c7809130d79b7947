extension FutureImage {
  /// Loads the pictures of many futures: one transfer for all of one key, one decode for all of one size, the most urgent first.
  ///
  /// Most apps use ``shared``. Another one has its own caches, limits and statistics:
  ///
  ///     var configuration = FutureImage.Loader.Configuration()
  ///     configuration.pixelLimit = 64 << 20
  ///     let loader = FutureImage.Loader(configuration)
  ///
  /// Futures are created, cancelled and let go on any thread, synchronously; so a loader is a lock around pure tables and not an actor.
  /// Outside of that lock run: transfers (tasks), disk tiers (their own queues), decoding (the loader's queue), delivery (main actor).
  public final class Loader: Sendable {
    /// The loader of futures that are given no other. It has the default configuration, or the one given to ``configureShared(_:)``.
    public static let shared = Loader(SharedConfiguration.program.take())

    /// How it works; what can be changed later is a property of the loader.
    public let configuration: Configuration

    let pool: PixelPool
    let main: MainQueue
    let heldBytes: HeldBytes
    let arrivedBytes: ArrivedBytes
    let renewedURLs = RenewedURLs()
    let phaseReaders = PhaseReaders()
    let state: Lock<State>
    /// Apart, for each view that is bound to a picture that is here counts, and needs nothing else of the loader.
    private let poolHits = Lock(0)
    let decoding: WorkQueue
    /// Runs transfers that do nothing else than wait for it.
    let transferHost: (any TaskHost)?
    private let memoryWarnings: MemoryWarnings

    /// Makes a loader with a pool of its own. Its disk cache is the program's unless the configuration says otherwise; nothing is fetched.
    public convenience init(_ configuration: Configuration = Configuration()) {
      self.init(configuration, notifications: .default)
    }

    init(_ configuration: Configuration, notifications: NotificationCenter) {
      self.configuration = configuration
      pool = PixelPool(limit: configuration.pixelLimit)
      main = configuration.mainTurns.map(MainQueue.init) ?? MainQueue()
      // Two of the largest bodies. Pictures rarely need a hundredth of it.
      heldBytes = HeldBytes(limit: 2 * min(max(0, configuration.maxBytes), .max / 2))
      arrivedBytes = ArrivedBytes(limit: configuration.pixelLimit)
      decoding = WorkQueue(label: "FutureImage.decoding", width: configuration.maxDecodes, qos: configuration.decodingQoS)
      transferHost = configuration.fetcher as? any TaskHost
      state = Lock(State(configuration), rank: .loader)
      memoryWarnings = MemoryWarnings(from: notifications, emptying: pool)
    }

    /// What happened so far.
    public var statistics: Statistics {
      var statistics = state.withLock { $0.statistics }
      statistics.longestMainStretch = main.longestStretch
      statistics.longestMainWork = main.longestWork
      statistics.pixelsLetGo = pool.letGoCount
      statistics.poolHits = poolHits.withLock { $0 }
      return statistics
    }

    /// What is to be said against the network, where the system cannot know and the app does. Pictures that it kept back come when
    /// ``retryFailed()`` is called, or they are bound anew, after it has changed.
    public var network: FutureImage.NetworkTraits {
      get { state.withLock { $0.network } }
      set { state.withLock { $0.network = newValue } }
    }

    /// The decoded pixels that are kept now, in bytes: never more than the configuration's `pixelLimit`.
    public var pixelBytes: Int { pool.byteCount }

    /// Lets go of all decoded pixels that are on no screen, as a memory warning does.
    public func emptyPixelPool() { pool.removeUnshown() }
  }
}

extension FutureImage.Loader {
  /// Runs on the main actor, after all that was asked for before.
  func deliver(_ work: @escaping MainQueue.Work) {
    state.withLock { $0.pendingWork += 1 }
    main.add {
      work()
      self.workEnded()
    }
  }

  /// Counts work that had no slot of a transfer or a look-up as ended. For work that may have had one there is ``slotWorkEnded()``.
  func workEnded() {
    let settled = state.withLock { state in
      state.pendingWork -= 1
      return state.takeSettled(by: self)
    }
    for continuation in settled { continuation.resume() }
  }

  /// Returns when nothing is loading, decoding, stored or delivered any more, and every loop over ``FutureImage/phases`` has handled the
  /// phases so far. For tests and tools: a picture that is shown while this waits makes it wait on.
  ///
  /// A loop has handled a phase when it waits for the next one or is left. A loop of the task that calls this is not waited for. An
  /// iterator that is asked once, retained and not asked again, is.
  public func settled() async { await settled(besides: .current) }

  /// - Parameter caller: the task whose own loops are not waited for.
  package func settled(besides caller: TaskIdentity?) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.settling.append(Settling(caller: caller, continuation: continuation)) }
      tellSettled()
    }
  }

  /// Something has ended: writes may begin now, or everything be over.
  func tellSettled() {
    for continuation in state.withLock({ $0.takeSettled(by: self) }) { continuation.resume() }
  }

  /// What fails because the device is locked, or because a picture takes more than its share of a cache, is not reported for every picture.
  /// - Parameter place: where a write failed.
  func report(cacheFault error: any Error, _ key: SourceKey, at place: TierPlace? = nil) {
    let isDenial = error.isDenied
    guard state.withLock({ $0.denials.mustReportFailure(isDenial: isDenial, of: place?.group) }) else { return }
    if (error as? FutureImage.FileFailure)?.isTooLarge ?? false {
      let isKnown = state.withLock { state in
        defer { state.hasReportedTooLarge = true }
        return state.hasReportedTooLarge
      }
      if isKnown { return }
    }
    // The error's own words: code of the app's.
    let text = "\(error)"
    tell(.cacheFault(text), key)
    state.withLock {
      $0.statistics.cacheFaults += 1
      $0.statistics.lastCacheFault = text
    }
  }

  // MARK: The life of a future

  /// - Returns: the revision of the picture.
  func welcome(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    state.withLock { state in
      state.live.insert(future, key: descriptor.key)
      state.statistics.futures += 1
      return state.revisions[descriptor.key] ?? 0
    }
  }

  /// The same for a future that several threads may register at once.
  func welcomeOnce(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    state.withLock { state in
      if !state.live.contains(ObjectIdentifier(future), key: descriptor.key) {
        state.live.insert(future, key: descriptor.key)
        state.statistics.futures += 1
      }
      return state.revisions[descriptor.key] ?? 0
    }
  }

  /// The future is gone, or is being deallocated: nothing here may refer to it but its identity.
  func farewell(_ id: ObjectIdentifier, _ descriptor: Descriptor, bytesTickets: [UInt32], pixelAsks: [PixelAsk]) {
    let (isLast, cancelled) = state.withLock { state in
      let cancelled = bytesTickets.flatMap { state.dropBytes(Ask(id, $0), descriptor) }
      for ask in pixelAsks { state.dropDecode(Ask(id, ask.ticket), ask.key, by: self) }
      let isLast = state.live.remove(id, key: descriptor.key)
      if isLast {
        state.failedSources.remove(descriptor.key)
        state.keysWithInterims.remove(descriptor.key)
      }
      return (isLast, cancelled)
    }
    for task in cancelled { task.cancel() }
    if isLast, !descriptor.policy.outlivesModel { pool.remove(source: descriptor.key) }
    tellSettled()
  }

  func countPoolHit() { poolHits.withLock { $0 += 1 } }
}

extension FutureImage.Loader.State {
  /// Something has ended: writes may begin, or all be over.
  mutating func takeSettled(by loader: FutureImage.Loader) -> [CheckedContinuation<Void, Never>] {
    beginWrites(by: loader)
    guard isIdle, !settling.isEmpty else { return [] }
    var settled: [CheckedContinuation<Void, Never>] = []
    settling.removeAll { waiting in
      guard loader.phaseReaders.areIdle(besides: waiting.caller) else { return false }
      settled.append(waiting.continuation)
      return true
    }
    return settled
  }
}
