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
  /// Runs on the main actor, after all that was delivered before.
  func deliver(_ work: @escaping MainQueue.Work) {
    state.withLock { $0.pendingWork += 1 }
    main.add {
      work()
      self.endWork()
    }
  }

  /// Ends work that was counted in `pendingWork`.
  func endWork() {
    change { state in
      state.pendingWork -= 1
      state.effects.note(.work)
    }
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
      change { state in
        state.settling.append(Settling(caller: caller, continuation: continuation))
        state.effects.note(.work)
      }
    }
  }

  /// Writes may begin now, or everything be over.
  func lookWhatMayBegin() { change { $0.effects.note(.work) } }

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

  /// Registers a future that no other thread has.
  /// - Returns: the generation of the picture.
  func register(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    state.withLock { $0.register(future, descriptor) }
  }

  /// The same for a future that several threads may register at once.
  func registerOnce(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    state.withLock { state in
      if state.pictures.contains(ObjectIdentifier(future), key: descriptor.key) { return state.pictures.generation(of: descriptor.key) }
      return state.register(future, descriptor)
    }
  }

  /// The future is gone, or is being deallocated: nothing here may refer to it but its identity.
  func unregister(_ id: ObjectIdentifier, _ descriptor: Descriptor, _ requests: [LoadRequest]) {
    let (isLast, _) = change { state in
      state.cancel(requests, descriptor)
      return state.pictures.remove(id, key: descriptor.key)
    }
    if isLast, !descriptor.policy.outlivesModel { pool.remove(source: descriptor.key) }
  }

  /// Calls the body with each living future of the key, outside of the lock. They are taken out of it a few at a time: a picture may have
  /// thousands. Futures that are registered meanwhile may be left out.
  func forEachFuture(of key: SourceKey, _ body: (FutureImage) -> Void) {
    var next: Int? = 0
    while let first = next {
      let (futures, rest) = state.withLock { $0.pictures.futures(key: key, from: first) }
      for future in futures { body(future) }
      next = rest
    }
  }

  /// The first of the key's living futures of which the condition is true.
  func firstFuture(of key: SourceKey, where condition: (FutureImage) -> Bool) -> FutureImage? {
    var next: Int? = 0
    while let first = next {
      let (futures, rest) = state.withLock { $0.pictures.futures(key: key, from: first) }
      if let found = futures.first(where: condition) { return found }
      next = rest
    }
    return nil
  }

  func countPoolHit() { poolHits.withLock { $0 += 1 } }
}
