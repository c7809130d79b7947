/// The second stage of loading: the fetch of a picture from its source, which all of its readers share. ``TransferRun`` makes each attempt.
extension FutureImage.Loader {
  // MARK: Requests to the source

  /// Requests the image from the source for a reader, unless the reader's policy allows only caches, or a remembered failure answers for
  /// the source.
  /// - Parameters:
  ///   - missed: the reader's disk tier, if that tier has nothing to show.
  ///   - order: the order of the reader's request, if the request has waited for the tier.
  func requestFromSource(
    _ reader: Reader, as purpose: Fetch.Purpose, missed: (any FutureImage.DiskTier)? = nil, order: UInt64? = nil, _ state: inout State
  ) {
    guard let picture = reader.picture else { return }
    let number = reader.requestNumber
    guard reader.current.policy.asksSource else { return state.effects.later { $0.miss(reader, number) } }
    if let remembered = picture.remembered.failureMemory.latest {
      return state.effects.later { $0.answer(reader, number, with: remembered) }
    }
    joinFetch(reader, as: purpose, order: order, &state)
    if let missed, let fetch = picture.fetch, !fetch.missed.contains(where: { $0 === missed }) { fetch.missed.append(missed) }
  }

  /// Makes a reader join its picture's fetch, which the first reader creates.
  /// - Parameters:
  ///   - isInBackground: whether the fetch only revalidates the image, so that the reader does not wait for the fetch.
  ///   - order: the order of the reader's request, if the request has waited for a disk tier.
  func joinFetch(
    _ reader: Reader, as purpose: Fetch.Purpose, isInBackground: Bool = false, order: UInt64? = nil, _ state: inout State
  ) {
    guard let picture = reader.picture, !(isInBackground ? reader.revalidates : reader.isInFetch) else { return }
    let descriptor = reader.current
    let rank = state.newRank(isInBackground ? .created : reader.urgency, descriptor.priority, order: order)
    let fetch: Fetch
    if let known = picture.fetch {
      fetch = known
      if fetch.purpose.rawValue < purpose.rawValue { fetch.purpose = purpose }
      state.statistics.joined += 1
      if state.fetches.promote(fetch, to: rank) { escalate(fetch) }
    } else {
      state.work.lastFetch &+= 1
      fetch = Fetch(picture, number: state.work.lastFetch, descriptor, purpose, rank)
      picture.fetch = fetch
      state.fetches.add(fetch)
      if picture.notes.hasFailed {
        picture.notes.hasFailed = false
        state.statistics.retries += 1
      }
    }
    if reader.smaller != nil { fetch.isForAnyNetwork = true }
    fetch.readerCount += 1
    reader.join(fetch)
    if isInBackground {
      reader.revalidates = true
    } else {
      reader.isInFetch = true
      if fetch.isLoading { commitStage(of: reader, &state) }
    }
  }

  /// Revalidates the image, with the least urgency. A visible change follows only if the source has another image.
  func revalidate(_ reader: Reader, at now: Date, _ state: inout State) {
    // The image may have been revalidated since it was found stale.
    guard reader.current.policy.asksSource, let known = reader.picture?.remembered.validity else { return }
    if known.standing(at: now) == .fresh { return }
    joinFetch(reader, as: .revalidation, isInBackground: true, &state)
  }

  /// Makes the reader leave the fetch. The fetch is canceled when its last reader leaves.
  func leaveFetch(_ reader: Reader, _ state: inout State) {
    guard let fetch = reader.picture?.fetch else { return }
    if reader.isInFetch { fetch.readerCount -= 1 }
    if reader.revalidates { fetch.readerCount -= 1 }
    (reader.isInFetch, reader.revalidates) = (false, false)
    // Race: a transfer that ends when the first of its readers leaves it.
    if fetch.readerCount == 0 { cancel(fetch, &state) }
  }

  /// Cancels a fetch that no reader needs any longer.
  func cancel(_ fetch: Fetch, _ state: inout State) {
    state.fetches.cancel(fetch)
    if let task = fetch.task.take() { state.effects.cancel(task.task) }
    detach(fetch, &state)
    state.effects.noteEnd()
  }

  /// Raises the priority of the task of a fetch whose rank has risen while it runs.
  func escalate(_ fetch: Fetch) {
    // Race: a transfer whose task has a lower priority than its job.
    fetch.task?.escalate(to: fetch.rank.taskPriority)
  }

  // MARK: Answers without a request

  /// Ends a request that found the image in no cache, and whose policy excludes the source. The image may have arrived since the search,
  /// so this method first looks in the policy's memory tier and at the picture's bytes. If the image is still missing, the request fails.
  private func miss(_ reader: Reader, _ number: UInt32) {
    let descriptor = reader.current
    let (known, now) = (imageInMemoryTier(of: descriptor), configuration.now())
    let notCached = FailureMemory.Entry(passing: FutureImage.Failure(.notCached, key: descriptor.key.text))
    change { state in
      catchUp(reader, &state)
      guard reader.isPending, reader.requestNumber == number, let picture = reader.picture else { return }
      if let known, known.generation == picture.generation, standing(of: picture, for: descriptor.source, at: now) != .unconfirmed {
        countPoolHit()
        endRequest(reader, &state)
        setFailure(nil, of: reader, &state)
        adopt(known.image, reader, &state)
      } else if !takeKnownBytes(reader, at: now, &state) {
        fail(reader, with: notCached, &state)
      }
    }
  }

  /// Answers a request with an earlier failure of the source, unless that failure is too old.
  private func answer(_ reader: Reader, _ number: UInt32, with remembered: FailureMemory.Entry) {
    let (holds, now) = (remembered.holds, configuration.now())
    change { state in
      guard let picture = reader.picture else { return }
      let isKnown = picture.remembered.failureMemory.latest === remembered
      if !holds { picture.remembered.failureMemory.end(remembered, &state.departed) }
      catchUp(reader, &state)
      guard reader.isPending, reader.requestNumber == number else { return }
      // The image may have arrived meanwhile.
      if takeKnownBytes(reader, at: now, &state) { return }
      if holds, isKnown { fail(reader, with: remembered, &state) } else { findBytes(reader, at: now, &state) }
    }
  }

  /// Delivers the bytes that the picture has received since the reader's request, if the reader may show them without a request to the
  /// source.
  /// - Returns: whether bytes were delivered.
  private func takeKnownBytes(_ reader: Reader, at now: Date, _ state: inout State) -> Bool {
    guard reader.isPending, reader.demand != .reload || reader.fullSize == nil, let picture = reader.picture, let encoded = picture.encoded,
      reader.hasHadImage || standing(of: picture, for: reader.current.source, at: now) != .unconfirmed
    else { return false }
    // Bytes that still wait for other tiers are stored in the reader's own tier, too.
    _ = shareBytes(of: picture, with: reader, &state)
    deliverBytes(encoded, to: reader, &state)
    releaseUnneededBytes(picture, &state)
    return true
  }

  // MARK: Runs

  /// Creates the task of a run. Inside the lock, the task is only created, and does not run yet. The task is detached, so it inherits
  /// neither the priority nor the task-local values of the task that freed its slot.
  func start(_ fetch: Fetch, _ state: inout State) {
    guard let number = fetch.run else { return }
    let priority = fetch.rank.taskPriority
    let purpose = fetch.purpose
    let body: @Sendable () async -> Void = { [self] in await TransferRun(self, fetch, number: number, purpose: purpose).run() }
    // `transferHost` runs tasks on the fetcher's own thread, so it gets only runs that wait for the fetcher and do nothing else. Other runs
    // may call code of the app (for headers, bytes, or a lookup in a tier) or do all of the work themselves, as for a `data` URL.
    let host = purpose == .first && fetch.descriptor.source.isPlainRequest ? transferHost : nil
    let task = host?.makeTask(priority, body) ?? Scheduling.task("a transfer", priority: priority, body)
    fetch.task = RunningTask(task, priority)
  }

  /// Records the progress of a run.
  func advance(_ fetch: Fetch, run: UInt64, to fraction: Double?, _ state: inout State) {
    state.noteActivity(run)
    guard fetch.isCurrent(run: run) else { return }
    if fetch.isLoading {
      // If a body begins again, the visible progress does not decrease.
      if let before = fetch.fraction, before > fraction ?? 0 { return }
      if fetch.fraction == fraction { return }
    }
    (fetch.isLoading, fetch.fraction) = (true, fraction)
    visit(fetch.picture.readers.all, &state) { [self] reader, state in if reader.isInFetch { commitStage(of: reader, &state) } }
  }

  /// Parks a fetch whose attempt failed, until its next attempt. Meanwhile, other fetches can use its slot.
  /// - Returns: whether the fetch is still needed.
  func park(_ fetch: Fetch, run: UInt64, _ history: Transfer.AttemptHistory) -> Bool {
    change { state in
      guard fetch.isCurrent(run: run) else { return false }
      fetch.history = history
      state.fetches.park(fetch, run: run)
      state.effects.noteEnd()
      return true
    }
  }

  /// Enqueues a parked fetch for its next attempt, even before its wait ends. A task that still waits is canceled.
  /// - Parameter run: the run that must be waiting; nil for any run.
  func unpark(_ fetch: Fetch, run: UInt64? = nil, _ state: inout State) {
    guard fetch.isParked, !fetch.hasEnded, run == nil || run == fetch.run else { return }
    state.statistics.retries += 1
    state.fetches.unpark(fetch)
    if let waiting = fetch.task.take(), run == nil { state.effects.cancel(waiting.task) }
  }

  /// Ends a run and its fetch, so that the readers no longer wait for the fetch.
  /// - Returns: whether the fetch was still needed.
  func finish(_ fetch: Fetch, run: UInt64, _ state: inout State) -> Bool {
    state.work.idleDetector.somethingEnded()
    state.effects.noteEnd()
    guard state.fetches.finish(fetch, run: run) else { return false }
    fetch.task = nil
    detach(fetch, &state)
    return true
  }

  /// Removes a fetch from its picture.
  private func detach(_ fetch: Fetch, _ state: inout State) {
    fetch.picture.fetch = nil
    state.departed.add(object: fetch)
    // The attempt and the fetch refer to each other. So one of the two references must be removed.
    if let attempt = fetch.attempt.take() { state.departed.add(object: attempt) }
  }

  // MARK: Results

  /// Ends a run with an image from the source, and delivers the image to the readers that wait for it or have failed. If the image replaces
  /// another image, delivers it to all readers.
  /// - Parameter decoded: the image that the candidate decode made, if views need its pixels.
  func finish(_ fetch: Fetch, run: UInt64, with answer: FetchedEntry, decoded: PixelPool.Living? = nil) {
    let now = configuration.now()
    let (entry, mayStore) = (answer.entry, answer.mayStore)
    change { state in
      let mayReplace = fetch.purpose.mayReplace
      guard finish(fetch, run: run, &state) else { return }
      let picture = fetch.picture
      if mayReplace { replaceImage(of: picture, &state) }
      for reader in picture.notes.movedReaders.values where reader.mayRecover { leaveSmaller(reader, &state) }
      picture.forgetFailures(&state.departed)
      picture.note(entry.validity)
      state.bytes.releaseBeginning(of: picture, &state.departed)
      // A reader whose lookup has not ended uses the entry of its own tier, so the image is not stored there.
      let tiers = picture.tiers { mayReplace || $0.waits(for: fetch) }
      let encoded = settle(answer.encoded, entry, in: picture, mayStore ? tiers : nil, &state)
      if !mayStore, mayReplace {
        withdrawStaged(picture, &state)
        enqueue(.remove, of: picture.key, in: tiers + [fetch.descriptor.disk].compactMap(\.self), &state)
      }
      var pixels: PixelPool.Living?
      if var decoded {
        // The pixels enter the pool in the change that makes the image current, so that every reader that needs them finds them.
        decoded.key.variant.generation = picture.generation
        decoded.image.feed?.setGeneration(picture.generation)
        state.departed.add(pool.insert(decoded.image, decoded.key.variant))
        state.statistics.decodes += 1
        pixels = decoded
      }
      deliver((encoded, pixels), in: picture, at: now, &state) { reader in
        // Race: a newer image that only the requesting readers get.
        mayReplace ? reader.isOutdated : reader.isDue(from: fetch) || reader.mayRecover
      }
    }
  }

  /// Stores new bytes in a picture, and enqueues their writes to the disk tiers.
  /// - Parameter tiers: the tiers; nil if the bytes must not be stored.
  /// - Returns: the bytes, with their generation and whether tiers store them.
  func settle(
    _ encoded: Encoded, _ entry: FutureImage.CacheEntry, in picture: Picture, _ tiers: [any FutureImage.DiskTier]?, _ state: inout State
  ) -> Encoded {
    var encoded = encoded
    encoded.generation = picture.generation
    encoded.isStored = tiers.map { stage(entry, of: encoded, for: $0, at: picture, &state) } ?? false
    state.bytes.hold(encoded, in: picture, &state.departed)
    return encoded
  }

  /// Ends a run whose source has confirmed the known entry. If the entry must not be stored, it is removed from disk, and the picture
  /// retains the bytes.
  /// - Parameter hasFailed: whether the source has not answered, so that the known entry is shown although it is stale. The failure is noted
  ///   in the same change. Otherwise, a request between two changes would revalidate the image again.
  func renew(
    _ fetch: Fetch, run: UInt64, with answer: FetchedEntry, from known: FutureImage.CacheEntry?, hasFailed: Bool = false
  ) {
    let now = configuration.now()
    let entry = answer.entry
    change { state in
      guard finish(fetch, run: run, &state) else { return }
      let picture = fetch.picture
      picture.forgetFailures(&state.departed)
      picture.note(entry.validity)
      if hasFailed {
        state.statistics.failures += 1
        picture.noteFailedRevalidation(at: now, again: now + configuration.retry.failureMemory.seconds)
      }
      state.bytes.releaseBeginning(of: picture, &state.departed)
      var encoded = answer.encoded
      encoded.generation = picture.generation
      if !answer.mayStore {
        encoded.isStored = false
        enqueue(.remove, of: picture.key, in: allTiers(of: picture) + [fetch.descriptor.disk].compactMap(\.self), &state)
        // The tiers of later requests must not store it either.
        withdrawStaged(picture, &state)
      } else if let tier = fetch.descriptor.disk, entry.hasOtherMetadata(than: known) {
        encoded.isStored = stage(entry, of: encoded, for: [tier], at: picture, &state)
      }
      state.bytes.hold(encoded, in: picture, &state.departed)
      deliver((encoded, nil), in: picture, at: now, &state) { $0.isDue(from: fetch) || $0.mayRecover }
    }
  }

  /// Ends a run with a failure.
  func fail(_ fetch: Fetch, run: UInt64, with failure: FutureImage.Failure) {
    let key = fetch.picture.key
    let remembered = remembered(failure, of: fetch.picture)
    let now = configuration.now()
    change { state in
      if failure.isDeletion, !fetch.descriptor.policy.retainsDeleted, endDeleted(fetch, run: run, by: remembered, &state) { return }
      state.effects.report(failure.isCancelled ? .cancelled : .failed(failure), key)
      guard finish(fetch, run: run, &state) else { return }
      if !failure.isCancelled {
        state.statistics.failures += 1
        fetch.picture.notes.hasFailed = true
        if remembered.answers { fetch.picture.remembered.failureMemory.insert(remembered, &state.departed) }
        if fetch.purpose == .revalidation {
          fetch.picture.noteFailedRevalidation(at: now, again: now + configuration.retry.failureMemory.seconds)
        }
      }
      deliver(in: fetch.picture, to: fetch.picture.readers.all, &state) { [self] reader, state in
        guard reader.isDue(from: fetch) else { return }
        if reader.demand == .reload { reader.observers?.endReloads(failure) }
        if !takeKnownBytes(reader, at: now, &state) { fail(reader, with: remembered, &state) }
      }
    }
  }
}

/// An entry that a source delivered or confirmed, and its image.
struct FetchedEntry {
  let encoded: Encoded
  let entry: FutureImage.CacheEntry
  /// Whether a tier may store the entry, which then outlives the models that show it.
  let mayStore: Bool
}

extension FutureImage.Failure {
  /// Whether a retry is worthwhile when the image is requested again. A retry is also worthwhile after `.notCached`, because a lookup in
  /// the caches costs no request.
  var mayPass: Bool { isTransient || isCancelled || reason == .notCached }

  /// Whether the bytes may have caused the failure of their decode.
  var isOfBytes: Bool {
    switch reason {
    case .cancelled, .transformFailed, .outOfMemory: false
    default: true
    }
  }

  /// Whether the future itself caused the failure, so that the success of other futures does not end it.
  var isOfFuture: Bool {
    switch reason {
    case .cancelled, .transformFailed: true
    default: false
    }
  }

  /// Whether the source states that it no longer has the image. A server in trouble responds with another status.
  var isDeletion: Bool { reason == .status(404) || reason == .status(410) }

  /// Returns the failure with the URL as the given source spells it, because the futures of one key may spell it differently.
  func of(_ source: FutureImage.Source?) -> FutureImage.Failure { source.map { of($0) } ?? self }
}

extension FutureImage.CacheEntry {
  /// Whether the metadata of the body has changed. An entry that a server has confirmed is stored again only if its metadata has changed.
  fileprivate func hasOtherMetadata(than other: Self?) -> Bool {
    guard let other else { return true }
    return (freshUntil, eTag, lastModified, secondaryKey) != (other.freshUntil, other.eTag, other.lastModified, other.secondaryKey)
      || (mustRevalidate, isBoundByCacheControl) != (other.mustRevalidate, other.isBoundByCacheControl)
  }
}
