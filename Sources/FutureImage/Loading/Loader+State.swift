extension FutureImage.Loader {
  /// The state that the loader's lock guards, together with the pictures, readers, and jobs that it refers to.
  ///
  /// Change it with ``change(_:)``, which performs the consequences.
  struct State: Departing {
    /// The removed values that may own objects of the app. See ``Departed``.
    var departed = Departed()
    /// The consequences of the change under way.
    var effects = Effects()
    var pictures = Registry()
    var lookups = LaneQueue<Lookup>(limit: 64, laneLimit: 8)
    var fetches: LaneQueue<Fetch>
    var decodes: LaneQueue<Decode>
    var bytes: ByteBudget
    var stallDetector = StallDetector()
    var work = Work()
    var reports = Reports()
    var statistics = FutureImage.Statistics()
    /// The traits of the network that the app has set.
    var network: Set<FutureImage.NetworkTrait> = []

    init(_ configuration: Configuration) {
      fetches = LaneQueue(
        limit: configuration.maxTransfers, laneLimit: configuration.maxTransfersPerHost, yieldLimit: 3 * configuration.maxTransfers,
        laneYields: 3)
      decodes = LaneQueue(limit: configuration.maxDecodes)
      // This limit has room for two bodies of the largest size. Images rarely need a hundredth of it.
      bytes = ByteBudget(limit: 2 * min(max(0, configuration.maxBytes), .max / 2))
    }

    mutating func moveDeparted(to departed: inout Departed) { self.departed.move(to: &departed) }

    /// Whether no lookup, decode, or delivery is pending. Fetches and writes may be pending.
    var isQuiet: Bool { lookups.isEmpty && decodes.isEmpty && work.pending == 0 }

    /// Whether no work is under way, except writes.
    var isIdle: Bool { isQuiet && fetches.isEmpty }
  }

  /// The pending work other than jobs, and the tasks that wait until the loader is idle.
  struct Work {
    /// The number of deliveries and other work under way.
    var pending = 0
    /// The size in bytes of the pixels that readers retain until the main actor shows them. They are counted, because a blocked main thread
    /// shows nothing, and the limit of the pool does not cover pixels that are retained outside of it.
    var arrivedBytes = 0
    /// The tasks that wait in ``FutureImage/Loader/waitUntilIdle()``.
    var settling: [CheckedContinuation<Void, Never>] = []
    var idleDetector = IdleDetector()
    /// The order of the last request. A request keeps its order when it moves from the queue of lookups to the queue of fetches.
    var lastOrder: UInt64 = 0
    /// The number of the last fetch.
    var lastFetch: UInt32 = 0
  }

  /// The failures of caches that were reported.
  struct Reports {
    var denials = Denials()
    /// Whether it was reported that an image is too large for a disk tier.
    var hasReportedTooLarge = false
  }

  /// The consequences of a change, other than jobs that start. They are performed outside of the lock.
  struct Effects {
    /// The readers whose changes the main actor has to make visible, with their futures; nil for a future that is gone.
    fileprivate var commits: [(reader: Reader, owner: Reader.Owner?)] = []
    /// Events to report. They are reported first, because other effects may make the results of these events visible.
    fileprivate var events: [(event: Event, key: SourceKey)] = []
    /// Tasks to cancel. Canceling a task runs the app's cancellation handlers.
    fileprivate var canceled: [Task<Void, Never>] = []
    /// The remaining parts of a change for many readers. Each part is made inside the lock again, and returns its effects. All parts are
    /// made before any effect is performed, so that no code of the app delays them.
    fileprivate var rest: [(FutureImage.Loader) -> Effects?] = []
    /// Other work, in the order in which it is performed.
    fileprivate var later: [(FutureImage.Loader) -> Void] = []
    /// The tasks to resume because the loader is idle.
    fileprivate var idleWaiters: [CheckedContinuation<Void, Never>] = []
    /// Whether work has ended, so that writes may begin, or the loader may be idle.
    fileprivate var hasEnded = false

    mutating func noteEnd() { hasEnded = true }

    mutating func commit(_ reader: Reader) { commits.append((reader, reader.owner)) }

    mutating func report(_ event: Event, _ key: SourceKey) { events.append((event, key)) }

    mutating func cancel(_ task: Task<Void, Never>) { canceled.append(task) }

    /// Adds a remaining part of the change. A test may add any work, which then runs between two parts.
    mutating func rest(_ part: @escaping (FutureImage.Loader) -> Effects?) { rest.append(part) }

    mutating func later(_ work: @escaping (FutureImage.Loader) -> Void) { later.append(work) }

    /// Calls the body with each of the waiters, after the work that was added before.
    mutating func deliver(to waiters: [FutureImage.Waiter], _ body: @escaping (FutureImage.Waiter) -> Void) {
      for waiter in waiters {
        later { _ in
          assertNoLockIsHeld()
          body(waiter)
        }
      }
    }

    /// Whether there is work besides commits.
    fileprivate var hasWork: Bool { !later.isEmpty || !rest.isEmpty }

    /// The number by which these effects increase `Work.pending` until they have been performed: one for each commit, and one for all other
    /// work together.
    fileprivate var workCount: Int { commits.count + (hasWork ? 1 : 0) }

    fileprivate var isEmpty: Bool { workCount == 0 && events.isEmpty && canceled.isEmpty && idleWaiters.isEmpty }
  }

  /// Changes the state, and performs the effects before it returns. A change without effects needs only the lock.
  ///
  /// Jobs start at the end of the change, still inside the lock, so that no cancellation can overtake a start. A start creates a task or
  /// enqueues a block, but runs nothing. The effects are performed outside of the lock.
  @discardableResult func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, effects) = changePart(body)
    if let effects { performAll(effects) }
    return result
  }

  /// Makes one part of a change.
  /// - Returns: the result, and the effects to perform outside of the lock, if there are any.
  func changePart<Result>(_ body: (inout State) -> Result) -> (Result, Effects?) {
    state.withLock { state in
      let result = body(&state)
      return (result, endChange(&state))
    }
  }

  /// - Returns: the effects to perform outside of the lock, if there are any.
  private func endChange(_ state: inout State) -> Effects? {
    while true {
      if let lookup = state.lookups.next() {
        start(lookup, &state)
      } else if let fetch = state.fetches.next() {
        start(fetch, &state)
      } else if let decode = state.decodes.next() {
        start(decode, &state)
      } else {
        break
      }
    }
    watchSilenceIfCrowded(&state)
    for picture in state.pictures.dropOldest() {
      // The pixels are removed inside the lock, so that no new picture of the key finds them. A new picture would count generations from 0,
      // and would not know whether the pixels must be revalidated.
      state.departed.add(pool.take(source: picture.key))
      state.bytes.releaseBeginning(of: picture, &state.departed)
      state.departed.add(object: picture)
    }
    // If work remains, the writes and the waiting tasks are considered when that work ends.
    if state.effects.hasEnded, state.effects.workCount == 0 {
      beginWrites(&state)
      if state.isIdle, !state.work.settling.isEmpty, writeCount == 0 { swap(&state.effects.idleWaiters, &state.work.settling) }
    }
    state.effects.hasEnded = false
    if state.effects.isEmpty { return nil }
    let effects = state.effects
    state.effects = Effects()
    state.work.pending += effects.workCount
    return effects
  }

  private func performAll(_ effects: Effects) {
    if effects.rest.isEmpty { return perform(effects) }
    var parts = [effects]
    var next = 0
    while next < parts.count {
      for part in parts[next].rest { if let more = part(self) { parts.append(more) } }
      next += 1
    }
    for part in parts { perform(part) }
  }

  private func perform(_ effects: Effects) {
    for (event, key) in effects.events { report(event, key) }
    for task in effects.canceled { task.cancel() }
    for (reader, owner) in effects.commits {
      main.add {
        reader.commit(owner)
        self.endWork()
      }
    }
    for work in effects.later { work(self) }
    for continuation in effects.idleWaiters { continuation.resume() }
    if effects.hasWork { endWork() }
  }

  /// Begins the work of a run that has a slot. If the run was canceled after its start, it ends here.
  /// - Parameter body: a change to make in the same step, unless the run was canceled.
  /// - Returns: whether the run is still needed.
  func begin<Job>(
    _ job: Job, run: UInt64, in queue: WritableKeyPath<State, LaneQueue<Job>>, _ body: (inout State) -> Void = { _ in }
  ) -> Bool {
    change { state in
      guard job.isCurrent(run: run) else {
        state[keyPath: queue].finish(job, run: run)
        state.effects.noteEnd()
        return false
      }
      body(&state)
      return true
    }
  }
}

extension FutureImage.Loader.State {
  mutating func newRank(_ reason: Rank.Reason, _ priority: FutureImage.Priority, order: UInt64? = nil) -> Rank {
    if let order { return Rank(reason: reason, priority: priority, order: order) }
    work.lastOrder += 1
    return Rank(reason: reason, priority: priority, order: work.lastOrder)
  }

  /// Returns an image that was read from a weak reference. The image is released outside of the lock, because this may be the last
  /// reference to it.
  mutating func retained(_ image: BaseImage?) -> BaseImage? {
    // Race: images released inside of the lock.
    if let image { departed.add(object: image) }
    return image
  }
}
