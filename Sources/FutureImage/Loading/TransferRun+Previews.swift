/// Previews, which views show while the bytes of an image arrive.
///
/// One preview is made at a time, from all bytes that have arrived by then. The next preview follows no sooner than after the shortest
/// interval that a view has requested. Nothing is retained between two previews. So a body that continues an interrupted body, or begins
/// again, is read from its start like any other body. Previews are shown only in views, and stored neither in the pool nor in a cache.
extension TransferRun {
  struct Previews {
    /// The body of the current exchange; nil before the first exchange, and after the end of the run.
    var body: Body?
    /// Whether more of the body has arrived, or another view has requested previews, since the last preview was begun.
    var hasGrown = false
    /// The number of bytes at which to search for the image's size again, after a search that did not find the size. A body may arrive in
    /// thousands of pieces. Without this number, each piece would require a search of all bytes.
    var leastBytes = 0
    /// The task that makes previews, or waits until the next preview is due.
    var work: Task<Void, Never>?
  }

  /// Records the body of the next exchange, from which previews are made from now on.
  func follow(_ body: Body) {
    let former = previews.withLock { previews in
      defer { (previews.body, previews.leastBytes) = (body, 0) }
      return previews.body
    }
    // The app may own the bytes of the former body, which are released outside of the lock.
    withExtendedLifetime(former) {}
  }

  /// Makes previews after more of the body has arrived, or after another view has requested them.
  func showPreviews() {
    previews.withLock { previews in
      previews.hasGrown = true
      guard previews.work == nil, previews.body != nil else { return }
      // Views wait for this task.
      previews.work = Scheduling.task("preview images", priority: .high) { await self.makePreviews() }
    }
  }

  func endPreviews() {
    let (work, _) = previews.withLock { previews in (previews.work, previews.body.take()) }
    work?.cancel()
  }

  private func makePreviews() async {
    while let body = nextBody() {
      state.withLock { $0.work.pending += 1 }
      let interval = await showPreviews(of: body)
      loader.endWork()
      guard let interval else { continue }
      do { try await loader.configuration.clock.sleep(for: interval) } catch { return }
    }
  }

  private func nextBody() -> Body? {
    previews.withLock { previews in
      guard previews.hasGrown, let body = previews.body else {
        previews.work = nil
        return nil
      }
      previews.hasGrown = false
      return body
    }
  }

  /// - Returns: the time to wait before the next preview; nil while the image's size is unknown.
  private func showPreviews(of body: Body) async -> Duration? {
    guard body.count >= previews.withLock({ $0.leastBytes }), let beginning = body.soFar else { return nil }
    guard let size = try? loader.configuration.decoder.size(of: beginning) else {
      previews.withLock { $0.leastBytes = beginning.count + beginning.count / 8 }
      return nil
    }
    let needs = await onMain { self.previewNeeds(of: size) }
    for (pixels, requests) in needs.requests {
      guard let image = await preview(pixels, of: body, size: size) else { continue }
      await onMain {
        for request in requests { request.reader.showPreview(image, request.number) }
      }
    }
    return needs.interval
  }

  private func preview(_ key: PixelPool.Key, of body: Body, size: FutureImage.PixelSize) async -> BaseImage? {
    try? await loader.decoding.run { [self] in
      guard state.withLock({ _ in fetch.isCurrent(run: number) }), let beginning = body.soFar else { return nil }
      let stopwatch = Stopwatch(loader.configuration.clock)
      let plan = key.variant.plan(for: size)
      let decoded = plan.decoded(at: key.step)
      guard let pixels = try loader.configuration.decoder.preview(of: beginning, size: decoded) else { return nil }
      let image = try BaseImage.decoded(pixels, for: key, by: plan)
      state.withLock { $0.statistics.previews += 1 }
      loader.report(.preview(width: decoded.width, height: decoded.height, in: stopwatch.elapsed), self.key)
      return image
    }
  }

  /// A reader that waits for bytes, and the number of its request.
  private struct Request {
    let reader: Reader
    let number: UInt32
  }

  /// Returns the pixels that all bound views need for an image of that size, with the requests of their readers, and the shortest interval
  /// that any view requested.
  @MainActor private func previewNeeds(
    of size: FutureImage.PixelSize
  ) -> (requests: [PixelPool.Key: [Request]], interval: Duration) {
    let waiting = state.withLock { _ -> [Request] in
      guard fetch.isCurrent(run: number) else { return [] }
      return fetch.picture.readers.compactMap { reader in
        reader.isInFetch && reader.isBound ? Request(reader: reader, number: reader.requestNumber) : nil
      }
    }
    var needs: [PixelPool.Key: [Request]] = [:]
    var interval: Duration?
    for request in waiting {
      guard let need = request.reader.previewNeed(of: size, request.number) else { continue }
      for pixels in need.pixels { needs[pixels, default: []].append(request) }
      interval = min(interval ?? need.interval, need.interval)
    }
    // If no view needs a preview now, the next check follows after a wait. Without the wait, every piece of the body would cause a check.
    return (needs, interval ?? .milliseconds(100))
  }

  private func onMain<Result: Sendable>(_ work: @escaping @MainActor @Sendable () -> Result) async -> Result {
    await handedOver { end in loader.deliver { end(work()) } }
  }
}

extension FutureImage.Loader {
  /// Requests previews of the reader's picture, from the bytes that have arrived or will arrive.
  func requestPreviews(of reader: Reader) {
    let attempt = state.withLock { _ in
      reader.picture?.notes.hasPreviews = true
      return reader.picture?.fetch?.attempt
    }
    attempt?.showPreviews()
  }
}
