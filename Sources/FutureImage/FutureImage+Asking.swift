extension FutureImage {
  /// The current phase of the image. Reading it requests no pixels.
  public var phase: Phase {
    let future = root
    guard future.descriptor != nil else { return inertPhase }
    future.start()
    future.access(\.phase)
    return future.applyingAppearance(to: future.state.withLock { $0.phase })
  }

  /// The largest decoded image so far; nil if there is none, or the pool has evicted it. Reading it requests no pixels, so a SwiftUI body,
  /// `updateProperties()`, or `layoutSubviews()` may read it. For the whole image, await ``value``. Observable.
  public var image: UIImage? {
    let future = root
    guard future.descriptor != nil else { return cgImage.map { _ in self } }
    future.start()
    future.access(\.image)
    return future.withImages { $0.visible }.map { future.applyingAppearance(to: $0) }
  }

  /// The whole image, as soon as it is decoded. The main actor need not be free.
  ///
  /// A waiting task retains the future. A failure that may be temporary is retried. A permanent failure is thrown at once, until the retry
  /// policy's ``RetryPolicy/failureMemory`` has passed.
  /// - Throws: the reason why the image did not load; `.cancelled` also if the waiting task is canceled, which cancels nothing else.
  public var value: UIImage {
    get async throws(Failure) { try await value(fitting: .full) }
  }

  /// Returns the image with at least the pixels that a box of that size shows. It may have more.
  public func value(fitting: Fitting) async throws(Failure) -> UIImage {
    let future = root
    // Avoids a request that would be canceled at once.
    if Task.isCancelled { throw future.failure(.cancelled) }
    let id = WaiterID()
    let result = await withTaskCancellationHandler {
      await handedOver { end in
        future.wait(fitting, id, tell: end)
        // Race: a task's wait given up before it is written down.
        // The handler below may have run before there was anything to cancel.
        if Task.isCancelled { future.leave(id) }
      }
    } onCancel: {
      Scheduling.uninterrupted { future.leave(id) }
    }
    return try result.get()
  }

  /// Returns the image once its source has confirmed it or replaced it, if it is stale: for a command line or a server, where a stale image
  /// would be the answer of this run. ``value(fitting:)`` returns the stale image, which a view shows while it is revalidated.
  ///
  /// If the server has not said how long the image is fresh, it is never stale, and only ``reload()`` revalidates it.
  /// - Throws: the reason why the image did not load, or why its source could not be asked.
  public func confirmedValue(fitting: Fitting = .full) async throws(Failure) -> UIImage {
    let future = root
    let start = future.descriptor?.loader.configuration.now()
    _ = try await value(fitting: fitting)
    if let descriptor = future.descriptor, let start {
      let revision = future.state.withLock { $0.revision }
      let isStale = descriptor.loader.isStale(descriptor.source, at: revision, since: start)
      if isStale, let failure = await [future].reload().first ?? nil { throw failure }
    }
    // A revalidation may have replaced the image meanwhile.
    return try await value(fitting: fitting)
  }

  /// Returns the image, for code that cannot await and has its own thread. Blocks the thread until the image is decoded.
  ///
  /// Do not call it in tasks, which share few threads. On the main thread, it throws.
  /// - Throws: the reason why the image did not load; `.refused` on the main thread.
  @available(*, noasync, message: "await `value(fitting:)` instead")
  public func waitForValue(fitting: Fitting = .full) throws(Failure) -> UIImage {
    guard !MainQueue.isCurrent else {
      throw failure(.refused("the main thread cannot wait for it; await `value` instead"))
    }
    let result = Lock<Result<UIImage, Failure>?>(nil)
    let isThere = Latch()
    root.wait(fitting) { told in
      result.withLock { $0 = told }
      isThere.open()
    }
    isThere.wait()
    return try (result.withLock { $0 } ?? .failure(failure(.cancelled))).get()
  }

  /// Calls a closure once on the main actor, in the turn that also updates the views. Use it for objects that take an image but are not
  /// views that this library supports, such as a bar button item.
  ///
  ///     item.photo.whenReady { result in barButton.image = try? result.get() }
  ///
  /// The future is retained until then.
  public func whenReady(fitting: Fitting = .full, _ body: @escaping @MainActor @Sendable (Result<UIImage, Failure>) -> Void) {
    let future = root
    guard let descriptor = future.descriptor else {
      let result = future.inertResult
      // The main dispatch queue is the main actor's executor.
      return Scheduling.onMain { MainActor.assumeIsolated { body(result) } }
    }
    let call = OnMain(MainCall(body: body))
    future.wait(fitting) { result in
      let mustCommit = future.state.withLock { state in
        state.watched = max(state.watched, .pictures)
        state.calls.append { call.object.body(result) }
        return state.mustCommit()
      }
      if mustCommit { future.scheduleCommit(descriptor) }
    }
  }

  /// A closure to call on the main actor. It may own objects of the user interface, so it is released there, whichever thread drops it.
  private final class MainCall: Sendable {
    let body: @MainActor @Sendable (Result<UIImage, Failure>) -> Void

    init(body: @escaping @MainActor @Sendable (Result<UIImage, Failure>) -> Void) { self.body = body }
  }

  /// Cancels all requests: all waiters get `.cancelled`. To continue, bind the future again, await its image, or call ``reload()``. Other
  /// requesters of the same image still get it.
  public func cancel() {
    root.reportWithoutSource()
    root.cancel { _ in true }
    root.knownDark?.cancel { _ in true }
  }

  /// Cancels if the state meets a condition. The check and the cancellation are one step: no request in between is canceled.
  func cancel(if isMeant: (inout State) -> Bool) {
    guard descriptor != nil else { return }
    let failure = failure(.cancelled)
    change { state in isMeant(&state) ? state.cancel(failure) : Effects() }
  }

  /// Requests the image from the source again. After a failure, loading starts over. An existing image stays until a changed one has
  /// arrived, which then appears in all views of all futures of the same key. If the source has deleted it, it is removed from all caches.
  public func reload() {
    for future in root.picturesInUse { future.reload(nil) }
  }

  /// - Parameter waiter: the waiter to call when the source has answered.
  func reload(_ waiter: ReloadWaiter?) {
    guard let descriptor else { return reportWithoutSource() }
    // The reload asks the source anyway.
    _ = register()
    let request = LoadRequest(.bytes, of: self)
    let (former, mustCommit) = state.withLock { state in
      let former = state.wish.request
      state.awaitReload(waiter, request, insteadOf: former)
      state.wish = .reloading(request)
      state.stage = .waiting
      return (former, state.mustCommit())
    }
    descriptor.loader.reload(request, of: self, descriptor, insteadOf: former)
    if mustCommit { scheduleCommit(descriptor) }
  }

  /// Starts over after a failure other than a cancellation.
  func retry() {
    guard let descriptor else { return }
    let (mayRetry, mustCommit) = state.withLock { $0.retry() }
    if mustCommit { scheduleCommit(descriptor) }
    if mayRetry { pursue(retrying: .always) }
  }

  /// Retries after a transient failure if a view shows the future, or somebody observes it.
  func retryIfAwaited() {
    let isAwaited = state.withLock { state in
      if case .failed(let refusal) = state.stage { refusal.failure.isTransient && (state.isBound || state.observers != nil) } else { false }
    }
    if isAwaited { retry() }
  }

  // MARK: Waiting

  /// Identifies a waiter that may leave before it has a result.
  final class WaiterID: Sendable {}

  /// Waits for the image. `tell` is called once: now, or later on any thread.
  func wait(
    _ fitting: Fitting, _ id: WaiterID? = nil, isPrefetch: Bool = false, tell: @escaping @Sendable (Result<UIImage, Failure>) -> Void
  ) {
    guard let descriptor else { return tell(inertResult) }
    start()
    let tell = descriptor.appearance == nil ? tell : { @Sendable in tell(self.applyingAppearance(to: $0)) }
    wait(Waiter(fitting: fitting, tell: tell, future: self, id: id.map { ObjectIdentifier($0) }, isPrefetch: isPrefetch))
  }

  private func wait(_ waiter: Waiter, retrying: Retrying = .unlessRefused) {
    enum Known {
      case image(UIImage)
      case refusal(Refusals.Refusal)
    }
    let known = withImages { state -> Known? in
      if let image = state.image(fitting: waiter.fitting) { return .image(image) }
      if retrying != .always, let refusal = state.refusal { return .refusal(refusal) }
      state.waiters.append(waiter)
      return nil
    }
    switch known {
    case .image(let image): waiter.tell(.success(image))
    case .refusal(let refusal) where refusal.holds: waiter.tell(.failure(refusal.failure))
    case .refusal: wait(waiter, retrying: .always)
    case nil: pursue(retrying: retrying, onlyIfAwaited: true)
    }
  }

  func leave(_ id: WaiterID) {
    guard descriptor != nil else { return }
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.id == ObjectIdentifier(id) }.map { state.waiters.remove(at: $0) }
    }
    waiter?.tell(.failure(failure(.cancelled)))
  }

  // MARK: Without a source

  /// The result of a future that was decoded by a coder, created by an initializer of UIImage, or copied by UIKit.
  private var inertResult: Result<UIImage, Failure> {
    reportWithoutSource()
    guard cgImage == nil else { return .success(self) }
    return .failure(Failure(.refused("it has no source; use the future itself instead of an image derived from it")))
  }

  /// Warns the developer, once in the process, that such a future was used.
  func reportWithoutSource() {
    if descriptor == nil { DeveloperWarning.futureWithoutSource.report() }
  }

  /// Returns a failure of this future's source.
  func failure(_ reason: Failure.Reason) -> Failure {
    let failure = Failure(reason, source: key)
    return descriptor.map { failure.of($0.source) } ?? failure
  }

  /// The reason why such a future has no image; nil if it has one.
  var inertFailure: Failure? { if case .failure(let failure) = inertResult { failure } else { nil } }

  private var inertPhase: Phase {
    switch inertResult {
    case .success(let image): .ready(image)
    case .failure(let failure): .failed(failure)
    }
  }
}

extension FutureImage.State {
  /// Returns the image, if one is decoded that has the pixels.
  fileprivate func image(fitting: FutureImage.Fitting) -> UIImage? {
    guard let natural, let best, Step(showing: natural, fitting) <= best.step else { return nil }
    return best
  }

  fileprivate mutating func cancel(_ failure: FutureImage.Failure) -> FutureImage.Effects {
    guard wish.isPending || !pixelRequests.isEmpty || !waiters.isEmpty else { return FutureImage.Effects() }
    if let request = wish.request { noteReload(request, failedWith: failure) }
    fail(Refusals.Refusal(passing: failure))
    let dropped = dropRequests()
    var effects = tell(failure)
    effects.canceled = dropped
    return effects
  }

  /// - Returns: whether there is something to request.
  fileprivate mutating func retry() -> (mayRetry: Bool, mustCommit: Bool) {
    guard case .failed(let refusal) = stage, !refusal.failure.isCancelled, wish == .none else { return (false, false) }
    guard natural != nil else { return (true, false) }
    // The missing pixels are known once the views are measured.
    stage = .fetched
    return (true, mustCommit())
  }
}
