/// Shows what there is of a picture while its bytes come in: one for each run of a transfer, ended with it.
///
/// One interim is made at a time, of the newest bytes when its turn comes; the next no sooner than the interval after it. Nothing is kept
/// between them: a body that goes on where another broke off, or begins anew, is read from its start like any other. They go to views
/// and nowhere else, neither to the pool nor to a cache.
final class Interims: Sendable {
  typealias Loader = FutureImage.Loader

  private struct State {
    var body: Body?
    var hasGrown = false
    var isOver = false
    /// The least bytes to look for the picture's size in, after it was not found. A body may come in thousands of pieces; without this each
    /// would cost a look at all of it.
    var leastBytes = 0
    /// While one is made or waited for.
    var work: Task<Void, Never>?
  }

  private let key: SourceKey
  private let run: UInt64
  private let state = Lock(State())

  init(_ key: SourceKey, run: UInt64) {
    self.key = key
    self.run = run
  }

  /// The next exchange begins.
  func follow(_ body: Body) {
    let former = state.withLock { state in
      defer {
        state.body = body
        state.leastBytes = 0
      }
      return state.body
    }
    // Its bytes may be the app's.
    withExtendedLifetime(former) {}
  }

  /// The bytes of the exchange so far; nil before its response, and once the run is over.
  var received: FutureImage.BytesReceived? { state.withLock { $0.body }?.received }

  /// There is more to show, or somebody new to show it to.
  func grow(by loader: Loader) {
    state.withLock { state in
      state.hasGrown = true
      // Views wait for it.
      if state.work == nil, !state.isOver { state.work = Scheduling.task("interim pictures", priority: .high) { await self.work(loader) } }
    }
  }

  func end() {
    let (work, _) = state.withLock { state in
      defer { (state.isOver, state.body) = (true, nil) }
      return (state.work, state.body)
    }
    work?.cancel()
  }

  private func work(_ loader: Loader) async {
    while let body = nextBody() {
      loader.state.withLock { $0.pendingWork += 1 }
      let interval = await show(body, loader)
      loader.endWork()
      guard let interval else { continue }
      do { try await loader.configuration.clock.sleep(for: interval) } catch { return }
    }
  }

  private func nextBody() -> Body? {
    state.withLock { state in
      guard state.hasGrown, !state.isOver, let body = state.body else {
        state.work = nil
        return nil
      }
      state.hasGrown = false
      return body
    }
  }

  /// - Returns: how long to wait before the next; nil while not even the picture's size is known.
  private func show(_ body: Body, _ loader: Loader) async -> Duration? {
    guard body.count >= state.withLock({ $0.leastBytes }), let beginning = body.soFar else { return nil }
    guard let size = try? loader.configuration.decoder.size(of: beginning) else {
      state.withLock { $0.leastBytes = beginning.count + beginning.count / 8 }
      return nil
    }
    let needs = await loader.interimNeeds(of: key, run, size)
    for (pixels, requests) in needs.requests {
      guard let image = await made(pixels, of: body, size, loader) else { continue }
      await loader.onMain {
        for live in requests.living { live.future.showInterim(image, live.request) }
      }
    }
    return needs.interval
  }

  private func made(_ key: PixelPool.Key, of body: Body, _ size: FutureImage.PixelSize, _ loader: Loader) async -> UIImage? {
    try? await loader.decoding.run {
      guard loader.state.withLock({ $0.transfers.isRunning(self.key, run: self.run) }), let beginning = body.soFar else { return nil }
      let watch = Stopwatch(loader.configuration.clock)
      let plan = key.variant.plan(for: size)
      let decoded = plan.decoded(at: key.step)
      guard let pixels = try loader.configuration.decoder.interim(of: beginning, size: decoded) else { return nil }
      let image = try UIImage.decoded(pixels, key, plan)
      loader.state.withLock { $0.statistics.interims += 1 }
      loader.tell(.interim(width: decoded.width, height: decoded.height, in: watch.elapsed), self.key)
      return image
    }
  }
}

extension FutureImage.Loader {
  /// Views show interims of the picture: whatever of it is here or comes.
  func wantInterims(of key: SourceKey) {
    let interims = state.withLock { state in
      state.pictures.change(key) { $0.hasInterims = true }
      return state.transfers[key]?.interims
    }
    interims?.grow(by: self)
  }

  /// The preview sizes that all bound views need of a picture of that size, with the requests of their futures, and the shortest interval
  /// that any of them asked for.
  fileprivate func interimNeeds(
    of key: SourceKey, _ run: UInt64, _ size: FutureImage.PixelSize
  ) async -> (requests: [PixelPool.Key: [LoadRequest]], interval: Duration) {
    await onMain {
      let waiting = self.state.withLock { $0.transfers.isRunning(key, run: run) ? $0.transfers.waiters(of: key) : [] }
      var needs: [PixelPool.Key: [LoadRequest]] = [:]
      var interval: Duration?
      for live in waiting.living {
        guard let need = live.future.interimNeed(of: size, live.request) else { continue }
        for pixels in need.pixels { needs[pixels, default: []].append(live.request) }
        interval = min(interval ?? need.interval, need.interval)
      }
      // Nobody looks now: not to be asked again for each piece of the body.
      return (needs, interval ?? .milliseconds(100))
    }
  }

  fileprivate func onMain<Result: Sendable>(_ work: @escaping @MainActor @Sendable () -> Result) async -> Result {
    await handedOver { end in deliver { end(work()) } }
  }
}
