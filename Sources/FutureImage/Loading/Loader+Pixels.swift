/// The last stage: a key's pixels at one step, from the pool or by decoding.
extension FutureImage.Loader {
  typealias DecodeTable = JobTable<PixelPool.Key, LoadRequest, Encoded>

  /// Registers the future's requests for pixels. It gets those of the pool at once, and one answer later to each other request, unless it
  /// cancels the request first.
  func requestPixels(_ requests: [LoadRequest], of future: FutureImage, _ descriptor: Descriptor, from encoded: Encoded) {
    let reason = future.urgency
    for request in requests {
      guard let key = request.pixels else { continue }
      #if DEBUG
      // Otherwise the pool would have the pixels of one image as those of another.
      precondition(key.variant.revision == encoded.revision, "pixels are requested of another image's bytes")
      #endif
      if let image = pooled(key) {
        future.take(.image(image), for: request)
        continue
      }
      // Its closure, which makes the pixels, is the source.
      if encoded.sized != nil, !descriptor.policy.asksSource {
        future.take(.failure(future.notCached), for: request)
        continue
      }
      let late = change { state -> (image: UIImage?, losers: PixelPool.Losers)? in
        if request.isCanceled { return nil }
        // Another decode may have ended since the pool was searched. If one is under way, the request joins it.
        // Race: pixels that come between the look into the pool and the wish.
        let late = state.decodes.contains(key) ? nil : pool.find(key.variant, atLeast: key.step)
        if late?.image == nil {
          // A closure may wait for another image, which must not wait for its slot.
          let lane = encoded.sized == nil ? "" : nil
          let priority = descriptor.priority
          let wanted = state.decodes.want(key, lane: lane, reason: reason, priority: priority, waiter: request, input: encoded)
          state.effects.note(wanted.actions)
        }
        return late
      }
      guard let image = late?.image else { continue }
      countPoolHit()
      future.take(.image(image), for: request)
    }
  }

  func pooled(_ key: PixelPool.Key) -> UIImage? {
    guard let image = pool.image(key.variant, atLeast: key.step) else { return nil }
    countPoolHit()
    return image
  }

  // MARK: Memory tiers of policies

  /// Whether memory tiers have only the newest image, or none. Futures are notified one after the other that it was replaced, and each
  /// removes it from its own tier.
  func hasSettledMemory(_ key: SourceKey) -> Bool { state.withLock { $0.pictures.hasSettledMemory(key) } }

  /// Stores an image in a future's memory tier, unless it has been replaced. If that happens meanwhile, the image is removed again.
  func store(_ image: UIImage, at revision: UInt32, of key: SourceKey, in memory: any FutureImage.MemoryTier) {
    let mayStore = state.withLock { state in
      guard state.pictures.generation(of: key) == revision else { return false }
      state.pictures.beginMemoryChange(key)
      return true
    }
    guard mayStore else { return }
    memory.store(image, forKey: key.text)
    // Race: a picture that was replaced, back in the memory tier.
    if state.withLock({ $0.pictures.generation(of: key) }) != revision { memory.remove(forKey: key.text) }
    state.withLock { $0.pictures.endMemoryChange(key) }
  }

  // MARK: Decoding

  /// Ends the run with its pixels, and answers the requests for them.
  func finish(_ key: PixelPool.Key, run: UInt64, with image: UIImage) {
    change(ending: .work) { state -> Waiters<LoadRequest> in
      guard let requests = state.finishDecode(key, run: run), !requests.isEmpty else { return [] }
      // In one step with the end of the job: whoever asks finds either that or the pixels. Images that are evicted for it are released
      // before any future is notified.
      // Race: pixels that come into the pool after their decode has ended.
      let losers = pool.insert(image, key.variant)
      if !losers.isEmpty { state.departed.add(losers) }
      return requests
    } telling: { requests in
      for live in requests.living { live.future.take(.image(image), for: live.request) }
    }
  }

  /// Decodes bytes on the decoding queue, and reports the time that it took.
  func decode(_ encoded: Encoded, _ key: PixelPool.Key) throws -> UIImage {
    let signpost = Signpost("decode", key.variant.source.text)
    defer { signpost.end() }
    let watch = Stopwatch(configuration.clock)
    let plan = key.variant.plan(for: encoded.size)
    let size = plan.decoded(at: key.step)
    let image = try decode(encoded.data, for: key, by: plan, size: size)
    tell(.decoded(width: size.width, height: size.height, in: watch.elapsed), key.variant.source)
    return image
  }

  /// Decodes bytes on the decoding queue.
  func decode(
    _ data: Data, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan, size: FutureImage.PixelSize
  ) throws -> UIImage {
    assertNoLockIsHeld()
    let decoder = configuration.decoder.reportingDamage
    func noteDamage(missing: Double) { tell(.damaged(missing: missing), key.variant.source) }
    if let animation = try decoder.animation(of: data, size: size, onDamage: noteDamage) {
      if let first = animation.frames.first?.image, animation.frames.count < animation.frameCount || first.width < size.width {
        let (frames, count) = (animation.frames.count, animation.frameCount)
        tell(.reducedAnimation(frames: frames, of: count, width: first.width, height: first.height), key.variant.source)
      }
      return try UIImage.decoded(animation, for: key, by: plan)
    }
    return try UIImage.decoded(decoder.decode(data, size: size, onDamage: noteDamage), for: key, by: plan)
  }

  /// A failed transform says nothing about the bytes, nor does a lack of memory. Bytes from a disk tier may have been damaged there: they
  /// are fetched once more. Other bytes are what the server has.
  fileprivate func decodeFailed(_ key: PixelPool.Key, run: UInt64, of encoded: Encoded, with failure: FutureImage.Failure) {
    let source = key.variant.source
    let mayFetchAgain = encoded.isFromDisk && failure.isOfBytes
    let refusal = refusal(failure)
    tell(.failed(failure), source)
    let (requests, _) = change { state -> (Waiters<LoadRequest>, [LiveRequest]) in
      state.pendingWork += 1
      guard let requests = state.finishDecode(key, run: run) else { return ([], []) }
      if !mayFetchAgain { state.statistics.failures += 1 }
      if !failure.isOfBytes { return (requests, []) }
      if !encoded.isFromDisk {
        state.refuse(encoded, of: source, as: refusal, by: self)
      }
      // Thousands of requests for the same pixels share a few tiers: only those of the first are examined.
      let some = requests.prefix(Pictures.slice).living
      let descriptors = some.compactMap(\.future.descriptor)
      for (stored, sharers) in Dictionary(grouping: descriptors, by: { encoded.isSubstitute ? $0.source.smaller?.id ?? source : source }) {
        remove(encoded, of: stored, from: sharers.compactMap(\.disk), &state)
      }
      return (requests, some)
    }
    for live in requests.living { live.future.take(mayFetchAgain ? .undecodable : .failure(refusal), for: live.request) }
    endWork()
  }
}

extension FutureImage.Failure {
  init(decoding error: any Error) {
    self = error as? FutureImage.Failure ?? FutureImage.Failure(.undecodable(error.words), underlying: error)
  }
}

extension FutureImage.Loader.State {
  /// Refuses requests for an image whose bytes turned out to be useless, and forgets those that are on their way to futures or tiers.
  mutating func refuse(_ encoded: Encoded, of key: SourceKey, as refusal: Refusals.Refusal, by loader: Loader) {
    refusals.insert(refusal, of: key)
    withdrawStaged(key, by: loader)
    guard let untold = pictures[key]?.untold, untold.encoded.revision == encoded.revision else { return }
    endTelling(key, untold.turn)
  }

  /// - Returns: whether the run is still wanted; otherwise it has ended before it began.
  mutating func beginDecode(_ key: PixelPool.Key, run: UInt64) -> Bool {
    if decodes.isRunning(key, run: run) { return true }
    effects.note(decodes.finish(key, run: run).actions)
    return false
  }

  /// - Returns: the requests that waited; nil if the run was canceled meanwhile.
  mutating func finishDecode(_ key: PixelPool.Key, run: UInt64) -> Waiters<LoadRequest>? {
    let (waiters, actions) = decodes.finish(key, run: run)
    makingTasks[run] = nil
    lull.somethingEnded()
    statistics.decodes += 1
    effects.note(actions)
    return waiters
  }

  /// A decode that has begun is not stopped: its pixels are discarded. The closure of a sized source is canceled.
  mutating func perform(_ action: Loader.DecodeTable.Action, by loader: Loader) {
    switch action {
    case .start(let key, let run):
      guard let encoded = decodes.change(key, run: run, { $0 }) else { return effects.note(decodes.finish(key, run: run).actions) }
      if let source = encoded.sized {
        let priority = decodes.rank(of: key)?.taskPriority ?? .medium
        makingTasks[run] = Scheduling.task("a rendition", priority: priority) {
          await loader.runMaking(key, run: run, encoded, by: source)
        }
      } else {
        loader.decoding.submit {
          guard loader.change({ $0.beginDecode(key, run: run) }) else { return }
          do {
            loader.finish(key, run: run, with: try loader.decode(encoded, key))
          } catch {
            loader.decodeFailed(key, run: run, of: encoded, with: FutureImage.Failure(decoding: error).of(key.variant.source.text))
          }
        }
      }
    case .cancel(_, let run):
      if let task = makingTasks.removeValue(forKey: run) { effects.canceled.append(task) }
    }
  }
}
