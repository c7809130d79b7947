/// Shows interim images while the bytes of an image arrive. Each run of a transfer has one instance, which ends with it.
///
/// One interim image is made at a time, from the newest bytes when its turn comes. The next follows after the interval at the earliest.
/// Nothing is retained between them: a body that continues another that broke off, or begins anew, is read from its start like any other.
/// Interim images go only to views, neither to the pool nor to a cache.
final class Interims: Sendable {
  typealias Loader = FutureImage.Loader

  private struct State {
    var body: Body?
    var hasGrown = false
    var isOver = false
    /// The number of bytes at which to search for the image's size again, after it was not found. A body may arrive in thousands of pieces.
    /// Without this number, each piece would cost a search of all bytes.
    var leastBytes = 0
    /// Makes or awaits an interim image.
    var work: Task<Void, Never>?
  }

  private let fetch: Fetch
  private let run: UInt64
  private let state = Lock(State())

  init(_ fetch: Fetch, run: UInt64) {
    self.fetch = fetch
    self.run = run
  }

  /// Begins the next exchange.
  func follow(_ body: Body) {
    let former = state.withLock { state in
      defer {
        state.body = body
        state.leastBytes = 0
      }
      return state.body
    }
    // The app may own its bytes.
    withExtendedLifetime(former) {}
  }

  /// Notes that there is more to show, or another view to show it.
  func grow(by loader: Loader) {
    state.withLock { state in
      state.hasGrown = true
      // Views wait for this task.
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
      loader.state.withLock { $0.work.pending += 1 }
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

  /// - Returns: the time to wait before the next; nil while the image's size is unknown.
  private func show(_ body: Body, _ loader: Loader) async -> Duration? {
    guard body.count >= state.withLock({ $0.leastBytes }), let beginning = body.soFar else { return nil }
    guard let size = try? loader.configuration.decoder.size(of: beginning) else {
      state.withLock { $0.leastBytes = beginning.count + beginning.count / 8 }
      return nil
    }
    let needs = await loader.interimNeeds(of: fetch, run, size)
    for (pixels, requests) in needs.requests {
      guard let image = await made(pixels, of: body, size: size, by: loader) else { continue }
      await loader.onMain {
        for request in requests { request.reader.showInterim(image, request.number) }
      }
    }
    return needs.interval
  }

  private func made(_ key: PixelPool.Key, of body: Body, size: FutureImage.PixelSize, by loader: Loader) async -> UIImage? {
    try? await loader.decoding.run {
      guard loader.state.withLock({ $0.fetches.isCurrent(self.fetch, run: self.run) }), let beginning = body.soFar else { return nil }
      let watch = Stopwatch(loader.configuration.clock)
      let plan = key.variant.plan(for: size)
      let decoded = plan.decoded(at: key.step)
      guard let pixels = try loader.configuration.decoder.interim(of: beginning, size: decoded) else { return nil }
      let image = try UIImage.decoded(pixels, for: key, by: plan)
      loader.state.withLock { $0.statistics.interims += 1 }
      loader.tell(.interim(width: decoded.width, height: decoded.height, in: watch.elapsed), self.fetch.picture.key)
      return image
    }
  }
}

extension FutureImage.Loader {
  /// Requests interim images of the key, from the bytes that are here or arrive.
  func wantInterims(of reader: Reader) {
    let interims = state.withLock { _ in
      reader.picture?.notes.hasInterims = true
      return reader.picture?.fetch?.interims
    }
    interims?.grow(by: self)
  }

  /// A reader that waits for bytes, and the number of its request.
  fileprivate struct Request {
    let reader: Reader
    let number: UInt32
  }

  /// Returns the pixels that all bound views need for an image of that size, with the requests of their readers, and the shortest interval
  /// that any view requested.
  fileprivate func interimNeeds(
    of fetch: Fetch, _ run: UInt64, _ size: FutureImage.PixelSize
  ) async -> (requests: [PixelPool.Key: [Request]], interval: Duration) {
    await onMain {
      let waiting = self.state.withLock { state -> [Request] in
        guard state.fetches.isCurrent(fetch, run: run) else { return [] }
        return fetch.picture.readers.compactMap { reader in
          reader.isInFetch && reader.isBound ? Request(reader: reader, number: reader.requestNumber) : nil
        }
      }
      var needs: [PixelPool.Key: [Request]] = [:]
      var interval: Duration?
      for request in waiting {
        guard let need = request.reader.interimNeed(of: size, request.number) else { continue }
        for pixels in need.pixels { needs[pixels, default: []].append(request) }
        interval = min(interval ?? need.interval, need.interval)
      }
      // No view needs one now: do not ask again for each piece of the body.
      return (needs, interval ?? .milliseconds(100))
    }
  }

  fileprivate func onMain<Result: Sendable>(_ work: @escaping @MainActor @Sendable () -> Result) async -> Result {
    await handedOver { end in deliver { end(work()) } }
  }
}
