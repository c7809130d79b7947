extension FutureImage {
  /// Loads the images of many futures: one transfer per key, one decode per size, the most urgent first.
  ///
  /// Most apps use ``shared``. Another loader has its own caches, limits and statistics:
  ///
  ///     var configuration = FutureImage.Loader.Configuration()
  ///     configuration.maxPixelBytes = 64 << 20
  ///     let loader = FutureImage.Loader(configuration)
  ///
  /// Futures are created, canceled and released on any thread, synchronously, so a loader is a lock around pure tables and not an actor.
  /// Transfers (tasks), disk tiers (their own queues), decoding (the loader's queue) and delivery (main actor) run outside that lock.
  public final class Loader: Sendable {
    /// The loader of futures that are given no other. It has the default configuration, or the one passed to ``configureShared(_:)``.
    public static let shared = Loader(SharedConfiguration.program.take())

    /// The loader's configuration. Settings that can change later are properties of the loader.
    public let configuration: Configuration

    let pool: PixelPool
    let main: MainQueue
    let heldBytes: HeldBytes
    let arrivedBytes: ArrivedBytes
    let renewedURLs = RenewedURLs()
    let phaseReaders = PhaseReaders()
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
      // Room for two bodies of the largest size. Images rarely need a hundredth of it.
      heldBytes = HeldBytes(limit: 2 * min(max(0, configuration.maxBytes), .max / 2))
      arrivedBytes = ArrivedBytes(limit: configuration.maxPixelBytes)
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
      statistics.pixelsLetGo = pool.letGoCount
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
    public func emptyPixelPool() { pool.removeUnshown() }
  }
}

extension FutureImage.Loader {
  /// Runs the work on the main actor, after everything that was delivered before.
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

  /// Returns once nothing is being loaded, decoded, stored or delivered, and every loop over ``FutureImage/phases`` has handled the phases
  /// so far. For tests and tools: an image that is shown in the meantime prolongs the wait.
  ///
  /// A loop has handled a phase when it waits for the next one or exits. This does not wait for loops of the calling task. It does wait for
  /// an iterator that is advanced once, then retained and not advanced again.
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

  /// Notes that writes may begin, or that the loader may be idle.
  func lookWhatMayBegin() { change { $0.effects.note(.work) } }

  /// Whether futures of the image are registered, or pixels of it are alive.
  func isInUse(_ key: SourceKey) -> Bool { state.withLock { $0.pictures.hasFutures(key) } || !pool.decodes(of: key).isEmpty }

  /// Reports a cache failure. Failures because the device is locked, or because an image exceeds its share of a cache, are not reported for
  /// every image.
  /// - Parameter place: the place of the write that failed.
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
    // The error's description runs code of the app's.
    let text = "\(error)"
    tell(.cacheFault(text), key)
    state.withLock {
      $0.statistics.cacheFaults += 1
      $0.statistics.lastCacheFault = text
    }
  }

  // MARK: The life of a future

  /// Registers a future that no other thread has.
  /// - Returns: the generation of the image.
  func register(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    state.withLock { $0.register(future, descriptor) }
  }

  /// Registers a future that several threads may register at once.
  func registerOnce(_ future: FutureImage, _ descriptor: Descriptor) -> UInt32 {
    state.withLock { state in
      // Race: a future that several threads register at once.
      if state.pictures.contains(ObjectIdentifier(future), key: descriptor.key) { return state.pictures.generation(of: descriptor.key) }
      return state.register(future, descriptor)
    }
  }

  /// Unregisters a future that is gone or being deallocated: only its identity may be used here.
  func unregister(_ id: ObjectIdentifier, of descriptor: Descriptor, canceling requests: [LoadRequest]) {
    let (isLast, _, _) = change { state in
      state.cancel(requests, descriptor)
      return state.pictures.remove(id, key: descriptor.key)
    }
    if isLast, !descriptor.policy.outlivesModel { pool.remove(source: descriptor.key) }
  }

  /// Calls the body with each living future of the key, outside the lock. Takes a few futures at a time out of the lock, because an image
  /// may have thousands. Futures that are registered in the meantime may be left out.
  func forEachFuture(of key: SourceKey, _ body: (FutureImage) -> Void) {
    var next: Int? = 0
    while let first = next {
      let (futures, rest) = state.withLock { $0.pictures.futures(key: key, from: first) }
      for future in futures { body(future) }
      next = rest
    }
  }

  /// The first of the key's living futures that meets the condition.
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
