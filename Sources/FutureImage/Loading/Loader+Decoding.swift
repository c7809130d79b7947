/// The third stage of loading: the pixels of a picture at one step come from the pool, or are decoded.
extension FutureImage.Loader {
  /// Gets pixels for a reader. Pixels that are in the pool are delivered at once, and others are decoded from the bytes.
  func requestPixels(_ keys: [PixelPool.Key], of reader: Reader, from encoded: Encoded, _ state: inout State) {
    for key in keys {
      #if DEBUG
      // If the generations differed, the pool would store the pixels of one image as those of another.
      precondition(key.variant.generation == encoded.generation, "the pixels must be requested from bytes of the same generation")
      #endif
      if let image = pooled(key.variant, atLeast: key.step, &state) {
        countPoolHit()
        adopt(image, reader, &state)
      } else if encoded.sized != nil, !reader.current.policy.asksSource {
        // The closure that makes the pixels is the source, which the policy excludes.
        failPixels(reader, with: FailureMemory.Entry(passing: FutureImage.Failure(.notCached, key: key.variant.source.text)), &state)
      } else {
        joinDecode(reader, key, of: encoded, &state)
      }
    }
  }

  /// Returns the smallest image of the pool that has at least this step.
  /// - Parameter step: nil for the largest image.
  func pooled(_ variant: PixelPool.Variant, atLeast step: DecodeStep? = nil, _ state: inout State) -> BaseImage? {
    let (image, evicted) = pool.find(variant, atLeast: step)
    if !evicted.isEmpty { state.departed.add(evicted) }
    return image
  }

  private func joinDecode(_ reader: Reader, _ key: PixelPool.Key, of encoded: Encoded, _ state: inout State) {
    guard let picture = reader.picture else { return }
    let rank = state.newRank(reader.urgency, reader.current.priority)
    let decode: Decode
    if let known = picture.decodes.first(where: { $0.key == key }) {
      decode = known
      state.decodes.promote(decode, to: rank)
    } else {
      decode = Decode(picture, key, encoded, rank)
      picture.decodes.append(decode)
      state.decodes.add(decode)
    }
    decode.readers.append(reader)
    decode.readerCount += 1
    reader.decodes.append(decode)
  }

  /// Makes the reader leave its decodes. A decode is canceled when its last reader leaves.
  func leaveDecodes(_ reader: Reader, _ state: inout State) {
    let left = reader.decodes
    if left.isEmpty { return }
    reader.decodes = []
    for decode in left {
      decode.readerCount -= 1
      if decode.hasEnded || decode.readerCount == 0 { cancel(decode, &state) }
    }
  }

  /// Cancels a decode whose pixels nothing needs. A decode that has begun is not stopped, and its pixels are discarded. The task that calls
  /// the closure of a sized source is canceled.
  func cancel(_ decode: Decode, _ state: inout State) {
    state.decodes.cancel(decode)
    decode.picture.decodes.removeAll { $0 === decode }
    if let task = decode.task.take() { state.effects.cancel(task) }
    state.departed.add(object: decode)
    state.effects.noteEnd()
  }

  // MARK: Runs

  func start(_ decode: Decode, _ state: inout State) {
    guard let run = decode.run else { return }
    if let source = decode.encoded.sized {
      decode.task = Scheduling.task("a rendition", priority: decode.rank.taskPriority) { [self] in
        await makePixels(decode, run: run, by: source)
      }
    } else {
      decoding.submit { [self] in
        guard begin(decode, run: run, in: \.decodes) else { return }
        do {
          finish(decode, run: run, with: try self.decode(decode.encoded, decode.key))
        } catch {
          fail(decode, run: run, with: FutureImage.Failure(decoding: error).of(decode.key.variant.source.text))
        }
      }
    }
  }

  /// Ends the run, and delivers its pixels to the readers.
  func finish(_ decode: Decode, run: UInt64, with image: BaseImage) {
    change { state in
      guard finish(decode, run: run, &state) else { return }
      // The pixels enter the pool in the change that ends the job, so that every request finds either the job or its pixels.
      // Race: pixels that are stored in the pool after their decode has ended.
      let evicted = pool.insert(image, decode.key.variant)
      if !evicted.isEmpty { state.departed.add(evicted) }
      visit(decode.readers, &state) { [self] reader, state in
        if reader.leave(decode) { adopt(image, reader, &state) }
      }
    }
  }

  private func finish(_ decode: Decode, run: UInt64, _ state: inout State) -> Bool {
    state.statistics.decodes += 1
    state.work.idleDetector.somethingEnded()
    state.effects.noteEnd()
    guard state.decodes.finish(decode, run: run) else { return false }
    decode.picture.decodes.removeAll { $0 === decode }
    decode.task = nil
    return true
  }

  /// Decodes bytes on the decoding queue, and reports the time that this took.
  func decode(_ encoded: Encoded, _ key: PixelPool.Key) throws -> BaseImage {
    let signpost = Signpost("decode", key.variant.source.text)
    defer { signpost.end() }
    let stopwatch = Stopwatch(configuration.clock)
    let plan = key.variant.plan(for: encoded.size)
    let size = plan.decoded(at: key.step)
    let image = try decode(encoded.data, for: key, by: plan, size: size)
    report(.decoded(width: size.width, height: size.height, in: stopwatch.elapsed), key.variant.source)
    return image
  }

  /// Decodes bytes on the decoding queue.
  func decode(
    _ data: Data, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan, size: FutureImage.PixelSize
  ) throws -> BaseImage {
    assertNoLockIsHeld()
    let decoder = configuration.decoder.reportingFaults
    if let animation = try decoder.animation(of: data, size: size) { return try firstFrame(of: animation, data, for: key, by: plan) }
    return try BaseImage.decoded(decoder.decode(data, size: size) { report(fault: $0, key.variant.source) }, for: key, by: plan)
  }

  /// Returns the first frame of an animation. Players decode the other frames from the bytes.
  private func firstFrame(
    of animation: any FutureImage.Animation, _ data: Data, for key: PixelPool.Key, by plan: FutureImage.Transform.Plan
  ) throws -> BaseImage {
    let first = try animation.frame(at: 0)
    let platform = animation as? any PlatformAnimation
    for fault in platform?.faults ?? [] { report(fault: fault, key.variant.source) }
    guard animation.durations.count < 2 else {
      return try BaseImage.decoded(first, for: key, by: plan, of: AnimationFeed(animation, of: data, key, plan, self))
    }
    let count = platform?.frameCount ?? 1
    if count > 1 {
      reportReduced(to: 1, of: count, FutureImage.PixelSize(width: first.width, height: first.height), key.variant.source)
    }
    return try BaseImage.decoded(first, for: key, by: plan)
  }

  // MARK: Failures

  /// Ends the run with a failure. A failed transform or a lack of memory says nothing about the bytes. Bytes from a disk tier may have been
  /// damaged there, so they are fetched once more. Other bytes are not fetched again, because the server would send the same.
  private func fail(_ decode: Decode, run: UInt64, with failure: FutureImage.Failure) {
    let encoded = decode.encoded
    let mayFetchAgain = encoded.isFromDisk && failure.isOfBytes
    let (remembered, now) = (remembered(failure), configuration.now())
    report(.failed(failure), decode.key.variant.source)
    change { state in
      guard finish(decode, run: run, &state) else { return }
      if !mayFetchAgain { state.statistics.failures += 1 }
      let picture = decode.picture
      if failure.isOfBytes {
        if !encoded.isFromDisk { refuse(picture, as: remembered, &state) }
        // If better bytes have arrived meanwhile, the picture retains them.
        if picture.encoded?.isFromDisk == encoded.isFromDisk { state.bytes.release(picture, &state.departed) }
        enqueue(.removeBytes(encoded.data), of: picture.key, in: picture.tiers(), &state)
      }
      visit(decode.readers, &state) { [self] reader, state in
        guard reader.leave(decode) else { return }
        if mayFetchAgain {
          seekBetterBytes(reader, insteadOf: encoded, for: decode.key.step, at: now, &state)
        } else {
          failPixels(reader, with: remembered, &state)
        }
      }
    }
  }

  /// Requests other bytes in place of a disk tier's bytes, which cannot be decoded.
  private func seekBetterBytes(_ reader: Reader, insteadOf encoded: Encoded, for step: DecodeStep, at now: Date, _ state: inout State) {
    // The reader's other steps would be decoded from the same bytes, so they need other bytes, too.
    let steps = Set(reader.decodes.filter { $0.encoded.isFromDisk }.map(\.key.step)).union([step])
    leaveDecodes(reader, &state)
    if let better = reader.picture?.encoded {
      let variant = reader.variant()
      return requestPixels(steps.sorted().map { PixelPool.Key(variant: variant, step: $0) }, of: reader, from: better, &state)
    }
    if reader.isFollower { return }
    if reader.demand == .none {
      request(reader, .bytes)
      reader.needs = steps
      findBytes(reader, at: now, &state)
    } else {
      reader.needs.formUnion(steps)
    }
  }

  /// Ends the run in which a sized source failed to make pixels.
  func failMaking(_ decode: Decode, run: UInt64, with failure: FutureImage.Failure) {
    let remembered = remembered(failure)
    change { state in
      guard finish(decode, run: run, &state) else { return }
      state.effects.report(failure.isCancelled ? .cancelled : .failed(failure), decode.key.variant.source)
      if !failure.isCancelled { state.statistics.failures += 1 }
      if failure.isOfBytes, !failure.mayPass {
        refuse(decode.picture, as: remembered, &state)
        state.bytes.release(decode.picture, &state.departed)
      }
      visit(decode.readers, &state) { [self] reader, state in
        if reader.leave(decode) { failPixels(reader, with: remembered, &state) }
      }
    }
  }

  /// Remembers the failure of bytes that turned out to be useless, so that the failure answers further requests. Withdraws the writes of
  /// the bytes to disk tiers.
  func refuse(_ picture: Picture, as remembered: FailureMemory.Entry, _ state: inout State) {
    picture.remembered.failureMemory.insert(remembered, &state.departed)
    withdrawStaged(picture, &state)
  }
}

extension Reader {
  /// Makes the reader leave a decode that has ended.
  /// - Returns: whether the reader waited for the decode.
  fileprivate func leave(_ decode: Decode) -> Bool {
    guard !isOutdated, let index = decodes.firstIndex(where: { $0 === decode }) else { return false }
    decodes.remove(at: index)
    return true
  }
}

extension FutureImage.Failure {
  init(decoding error: any Error) {
    self = error as? FutureImage.Failure ?? FutureImage.Failure(.undecodable(error.words), underlying: error)
  }
}
