extension FutureImage {
  /// The current phase of the image. Reading it requests no pixels.
  public var phase: Phase {
    let future = root
    guard let reader = future.reader else { return inertPhase }
    reader.start()
    future.access(\.phase, of: reader)
    return reader.applyingAppearance(to: reader.withLock(\.phase))
  }

  /// The largest decoded image so far; nil if there is none, or if the pool has evicted it. Reading it requests no pixels, so a SwiftUI
  /// body, `updateProperties()`, or `layoutSubviews()` may read it. To get the whole image, await ``value``. This property is observable.
  public var image: BaseImage? {
    let future = root
    guard let reader = future.reader else { return cgImage.map { _ in self } }
    return future.image(of: reader)
  }

  /// Returns the largest decoded image of a reader: the future's own reader, or the reader of its image for dark mode. The result is
  /// observable.
  func image(of reader: Reader) -> BaseImage? {
    reader.start()
    access(\.image, of: reader)
    return reader.withLock(\.visible).map { reader.applyingAppearance(to: $0) }
  }

  /// The whole image, available as soon as it is decoded, even while the main actor is busy.
  ///
  /// A waiting task retains the future. After a failure that may be temporary, the loader retries. After a permanent failure, this property
  /// throws the same failure at once, until the retry policy's ``RetryPolicy/failureMemory`` has passed.
  /// - Throws: the reason why the image did not load. If the waiting task is canceled, throws `.cancelled`, which cancels nothing else.
  public var value: BaseImage {
    get async throws(Failure) { try await anyValue(fitting: .full) }
  }

  /// Returns the image with at least the pixels that a box of the given size shows. The image may have more pixels.
  /// - Parameters:
  ///   - fitting: the box in pixels.
  ///   - confirmed: whether to wait until the source has confirmed or replaced a stale image. Pass true in a command-line tool or on a
  ///     server, where a stale image would be the final result. If false, this method may return a stale image, which a view would show
  ///     while the loader revalidates it. If nothing in the server's response determines how long the image is fresh (see
  ///     <doc:CachePolicies>), the image is never stale, and only ``reload()`` revalidates it.
  /// - Throws: the reason why the image did not load, or why it could not be confirmed.
  public func value(fitting: Fitting = .full, confirmed: Bool = false) async throws(Failure) -> BaseImage {
    let start = confirmed ? root.descriptor?.loader.configuration.now() : nil
    let image = try await anyValue(fitting: fitting)
    guard let start else { return image }
    try await confirm(since: start)
    // A revalidation may have replaced the image meanwhile.
    return try await anyValue(fitting: fitting)
  }

  /// If the last revalidation of the image failed, or the image is stale and was neither received nor confirmed since the given time,
  /// reloads the image and waits until its source has answered.
  func confirm(since start: Date) async throws(Failure) {
    guard let descriptor = root.descriptor, descriptor.loader.isStale(descriptor.source, since: start) else { return }
    if let failure = await [root].reload().first ?? nil { throw failure }
  }

  /// Returns the image, even if it is stale.
  private func anyValue(fitting: Fitting) async throws(Failure) -> BaseImage {
    try await awaited { future, id, end in future.wait(fitting, id, deliver: end) }
  }

  /// Adds a waiter to the future, suspends the task until the waiter gets its result, and returns the result.
  /// - Parameter wait: registers the waiter with the future, and ensures that `end` is called once, with the result.
  func awaited<Value: Sendable>(
    _ wait: (FutureImage, WaiterID, _ end: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void
  ) async throws(Failure) -> Value {
    let future = root
    // Avoids a request that would be canceled at once.
    if Task.isCancelled { throw future.failure(.cancelled) }
    let id = WaiterID()
    let result = await withTaskCancellationHandler {
      await handedOver { end in
        wait(future, id, end)
        // Race: a wait that is canceled before its waiter is registered.
        // The handler below may have run before the waiter was registered.
        if Task.isCancelled { future.leave(id) }
      }
    } onCancel: {
      Scheduling.uninterrupted { future.leave(id) }
    }
    return try result.get()
  }

  /// Calls a closure once, with the image or the failure. The call is on the main actor, in the turn that also updates the views. Use this
  /// method for objects that have an image but are not views that this library supports, such as a bar button item.
  ///
  ///     item.photo.whenReady { result in barButton.image = try? result.get() }
  ///
  /// The future is retained until the call.
  public func whenReady(fitting: Fitting = .full, _ body: @escaping @MainActor @Sendable (Result<BaseImage, Failure>) -> Void) {
    let future = root
    guard let reader = future.reader else {
      let result = future.inertResult
      // The main dispatch queue is the main actor's executor.
      return Scheduling.onMain { MainActor.assumeIsolated { body(result) } }
    }
    let call = OnMain(MainCall(body: body))
    let loader = reader.descriptor.loader
    future.wait(fitting) { result in
      loader.change { state in
        if reader.future == nil { reader.future = future }
        reader.watch(.images)
        reader.calls.append { call.object.body(result) }
        loader.commit(reader, &state)
      }
    }
  }

  /// A closure to call on the main actor. It may own objects of the user interface, so an `OnMain` releases it on the main thread.
  private final class MainCall: Sendable {
    let body: @MainActor @Sendable (Result<BaseImage, Failure>) -> Void

    init(body: @escaping @MainActor @Sendable (Result<BaseImage, Failure>) -> Void) { self.body = body }
  }

  /// Cancels all requests of this future. Each of its waiters gets `.cancelled`. To continue, bind the future again, await its image, or
  /// call ``reload()``. Other futures of the same image still get it.
  public func cancel() {
    root.reportWithoutSource()
    for reader in root.readersInUse { root.cancel(reader) }
  }

  /// Cancels the requests of the reader if the reader meets a condition. The check and the cancellation are one step inside the lock, so no
  /// request can begin in between.
  func cancel(_ reader: Reader, if isMeant: (Reader) -> Bool = { _ in true }) {
    let (loader, remembered) = (reader.descriptor.loader, FailureMemory.Entry(passing: reader.failure(.cancelled)))
    loader.change { state in if isMeant(reader) { loader.cancel(reader, with: remembered, &state) } }
  }

  /// Requests the image from the source again. After a failure, loading starts over. An existing image stays until a changed image has
  /// arrived. The changed image then appears in all views of all futures of the same key. If the source has deleted the image, the image is
  /// removed from all caches.
  public func reload() {
    root.reportWithoutSource()
    for reader in root.readersInUse { reader.descriptor.loader.reload(reader) }
  }

  // MARK: Waiting

  /// Identifies a waiter that may stop waiting before it has a result.
  final class WaiterID: Sendable {}

  /// Waits for the image. Calls `deliver` once, either before this method returns or later on any thread.
  func wait(
    _ fitting: Fitting, _ id: WaiterID? = nil, isPrefetch: Bool = false, deliver: @escaping @Sendable (Result<BaseImage, Failure>) -> Void
  ) {
    guard let reader else { return deliver(inertResult) }
    start()
    let deliver = reader.descriptor.appearance == nil ? deliver : { @Sendable in deliver(reader.applyingAppearance(to: $0)) }
    let id = id.map { ObjectIdentifier($0) }
    let need = Waiter.Need.pixels(fitting, deliver: deliver)
    wait(Waiter(need: need, owner: self, descriptor: descriptor, id: id, isPrefetch: isPrefetch))
  }

  /// Waits for the encoded bytes of an image that has a source of bytes. Calls `deliver` once, like ``wait(_:_:isPrefetch:deliver:)``.
  func waitForBytes(_ id: WaiterID, deliver: @escaping @Sendable (Result<Encoded, Failure>) -> Void) {
    start()
    wait(Waiter(need: .bytes(deliver: deliver), owner: self, descriptor: descriptor, id: ObjectIdentifier(id)))
  }

  private func wait(_ waiter: Waiter, retrying: Retrying = .unlessRemembered) {
    enum Known {
      case image(BaseImage, deliver: (Result<BaseImage, Failure>) -> Void)
      case remembered(FailureMemory.Entry)
      case nothing
    }
    guard let reader else { return }
    let loader = reader.descriptor.loader
    let now = loader.configuration.now()
    let known = loader.change { state -> Known in
      loader.catchUp(reader, &state)
      // A reader is outdated while it has the image before the current one. If the reader is outdated even after `catchUp`, the bytes of
      // the current image are lost, or have not arrived yet.
      if let fullSize = reader.fullSize, !reader.isOutdated, case .pixels(let fitting, let deliver) = waiter.need,
        let best = state.retained(reader.largestDecode), DecodeStep(showing: fullSize, fitting) <= best.step
      {
        return .image(best, deliver: deliver)
      }
      if retrying != .always, let remembered = reader.remembered { return .remembered(remembered) }
      reader.waiters.append(waiter)
      loader.loadMissing(reader, retrying: retrying, at: now, &state)
      return .nothing
    }
    switch known {
    case .image(let image, let deliver): deliver(.success(image))
    case .remembered(let remembered) where remembered.holds: waiter.fail(with: remembered.failure.of(reader.descriptor.source))
    case .remembered: wait(waiter, retrying: .always)
    case .nothing: break
    }
  }

  /// Removes the waiter with this identifier. The waiter gets `.cancelled`.
  func leave(_ id: WaiterID) {
    let waiter = withReader { reader in
      reader.waiters.firstIndex { $0.id == ObjectIdentifier(id) }.map { reader.waiters.remove(at: $0) }
    }
    waiter??.fail(with: failure(.cancelled))
  }

  // MARK: Without a source

  /// The result of a future without a source, which was decoded by a coder, created by an initializer of UIImage, or copied by UIKit.
  private var inertResult: Result<BaseImage, Failure> {
    reportWithoutSource()
    guard cgImage == nil else { return .success(self) }
    return .failure(Failure(.refused("it has no source; use the future itself instead of an image derived from it")))
  }

  /// Warns the developer, once in the process, that a future without a source was used.
  func reportWithoutSource() {
    if descriptor == nil { DeveloperWarning.futureWithoutSource.report() }
  }

  /// Returns a failure that names this future's source.
  func failure(_ reason: Failure.Reason) -> Failure { reader?.failure(reason) ?? Failure(reason, key: key) }

  /// The reason why a future without a source has no image; nil if it has an image.
  var inertFailure: Failure? { if case .failure(let failure) = inertResult { failure } else { nil } }

  private var inertPhase: Phase {
    switch inertResult {
    case .success(let image): .ready(image)
    case .failure(let failure): .failed(failure)
    }
  }
}
