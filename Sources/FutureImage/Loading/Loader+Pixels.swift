/// The last stage: a key's pixels at one step, from the pool or by decoding.
extension FutureImage.Loader {
  /// The pixels, if the pool has them; else they are decoded, and the future is told by `decoded` or `decodingFailed` with this ticket.
  func wantPixels(
    _ future: FutureImage, _ descriptor: Descriptor, _ ask: PixelAsk, from encoded: Encoded, reason: Rank.Reason
  ) -> UIImage? {
    if let image = pooled(ask.key) { return image }
    let late = state.withLock { state -> (image: UIImage?, losers: PixelPool.Losers)? in
      // Another's decode may have ended since the pool was asked. Where one is under way, it is joined.
      let late = state.decodes.contains(ask.key) ? nil : pool.find(ask.key.variant, atLeast: ask.key.step)
      if late?.image == nil { state.wantDecode(Ask(future, ask.ticket), descriptor, ask.key, encoded, reason) }
      return late
    }
    if let late = late?.image {
      countPoolHit()
      return late
    }
    // Given up between the wish and its being written down.
    if !future.isAsking(ask) { dropPixels(future, [ask]) }
    return nil
  }

  func pooled(_ key: PixelPool.Key) -> UIImage? {
    guard let image = pool.image(key.variant, atLeast: key.step) else { return nil }
    countPoolHit()
    return image
  }

  func dropPixels(_ future: FutureImage, _ asks: [PixelAsk]) {
    state.withLock { state in
      for ask in asks { state.dropDecode(Ask(future, ask.ticket), ask.key, by: self) }
    }
    tellSettled()
  }

  /// On the decoding queue.
  func runDecode(_ key: PixelPool.Key, run: UInt64, _ encoded: Encoded) {
    guard state.withLock({ $0.beginDecode(key, run: run, by: self) }) else { return }
    let watch = Stopwatch(configuration.clock)
    do {
      let plan = key.variant.plan(for: encoded.size)
      let size = plan.decoded(at: key.step)
      let image = try decode(encoded.data, key, plan, size)
      tell(.decoded(width: size.width, height: size.height, in: watch.elapsed), key.variant.source)
      deliver(image, key, run)
    } catch {
      decodeFailed(key, run, encoded, FutureImage.Failure(decoding: error).of(key.variant.source.text))
    }
  }

  /// Ends the run with its pixels, and tells the futures that asked for them.
  func deliver(_ image: UIImage, _ key: PixelPool.Key, _ run: UInt64) {
    let askers = finish(key, run, with: image)
    for asker in askers { asker.future.decoded(image, for: PixelAsk(key: key, ticket: asker.ticket)) }
    workEnded()
  }

  /// What the pool lets go for the image is gone when this returns, before anybody is told.
  private func finish(_ key: PixelPool.Key, _ run: UInt64, with image: UIImage) -> [Asker] {
    let (askers, losers) = state.withLock { state -> ([Asker], PixelPool.Losers?) in
      guard let askers = state.finishDecode(key, run: run, by: self), !askers.isEmpty else { return ([], nil) }
      // In one step with the end of the job: whoever asks finds either that or the pixels.
      return (askers, pool.insert(image, key.variant))
    }
    withExtendedLifetime(losers) {}
    return askers
  }

  /// On the decoding queue.
  func decode(
    _ data: Data, _ key: PixelPool.Key, _ plan: FutureImage.Transform.Plan, _ size: FutureImage.PixelSize
  ) throws -> UIImage {
    assertNoLockIsHeld()
    let decoder = configuration.decoder.reportingDamage
    func noteDamage(missing: Double) { tell(.damaged(missing: missing), key.variant.source) }
    if let animation = try decoder.animation(of: data, size: size, onDamage: noteDamage) {
      return try UIImage.decoded(animation, key, plan)
    }
    return try UIImage.decoded(decoder.decode(data, size: size, onDamage: noteDamage), key, plan)
  }

  /// A transform that fails says nothing of the bytes, nor does a lack of memory. Bytes that a disk tier had may have rotted there: they
  /// are fetched once more. Others are what the server has.
  private func decodeFailed(_ key: PixelPool.Key, _ run: UInt64, _ encoded: Encoded, _ failure: FutureImage.Failure) {
    let source = key.variant.source
    let mayFetchAgain = encoded.isFromDisk && failure.isOfBytes
    let refusal = refusal(failure)
    tell(.failed(failure), source)
    let askers = state.withLock { state -> [Asker] in
      guard let askers = state.finishDecode(key, run: run, by: self) else { return [] }
      if !mayFetchAgain { state.statistics.failures += 1 }
      if !failure.isOfBytes { return askers }
      if !encoded.isFromDisk {
        state.refusals.insert(refusal, of: source)
        state.staged[source]?.encoded = nil
      }
      let descriptors = askers.compactMap(\.future.descriptor)
      for (stored, sharers) in Dictionary(grouping: descriptors, by: { encoded.isSubstitute ? $0.source.smaller?.id ?? source : source }) {
        remove(encoded, stored, from: sharers.compactMap(\.disk), &state)
      }
      return askers
    }
    for (future, ticket) in askers {
      future.decodingFailed(PixelAsk(key: key, ticket: ticket), refusal, mayFetchAgain: mayFetchAgain)
    }
    workEnded()
  }
}

/// A future's wish for pixels.
struct PixelAsk: Hashable, Sendable {
  let key: PixelPool.Key
  let ticket: UInt32
}

extension FutureImage.Failure {
  init(decoding error: any Error) {
    self = error as? FutureImage.Failure ?? FutureImage.Failure(.undecodable(error.words), underlying: error)
  }
}
