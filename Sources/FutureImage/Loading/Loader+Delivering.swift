/// The last stage of loading: bytes, pixels, and failures reach the readers. Visible changes wait for a turn of the main actor: see
/// ``Reader/commit(_:)``.
extension FutureImage.Loader {
  // MARK: Many readers

  /// Calls the body for each of the objects. The first few are visited in the current change. The others are visited in later changes, so
  /// that other threads get the lock in between. So the body must check whether an object still needs the work.
  /// - Parameter end: called in the change that visits the last object.
  func visit<Object>(
    _ objects: [Object], _ state: inout State, _ body: @escaping (Object, inout State) -> Void,
    end: @escaping (inout State) -> Void = { _ in }
  ) {
    let batchSize = Scheduling.batchSize
    for object in objects.prefix(batchSize) { body(object, &state) }
    guard objects.count > batchSize else { return end(&state) }
    for start in stride(from: batchSize, to: objects.count, by: batchSize) {
      state.effects.rest { loader in
        loader.changePart { state in
          for object in objects[start...].prefix(batchSize) { body(object, &state) }
          if start + batchSize >= objects.count { end(&state) }
        }.1
      }
    }
  }

  /// Finds other bytes for a reader if the picture no longer has the bytes that are being delivered. Since the delivery began, these bytes
  /// have turned out to be damaged, or were released because of the limit.
  private func findBytesAgain(_ reader: Reader, insteadOf encoded: Encoded, at now: Date, _ state: inout State) {
    let isReplaced = reader.isOutdated
    state.leaveOldImage(reader)
    if isReplaced { (reader.fullSize, reader.isDeleted) = (reader.whole(of: encoded.size), false) }
    if reader.awaitsNothing { return findBytes(reader, at: now, &state) }
    guard isReplaced, !reader.isPending else { return }
    setFailure(nil, of: reader, &state)
    commit(reader, &state)
    loadMissing(reader, retrying: .no, at: now, &state)
  }

  /// Calls the body for readers, a few in each change. The picture retains its bytes until the last reader has been visited, unless newer
  /// bytes of other pictures exceed the limit.
  func deliver(in picture: Picture, to readers: [Reader], _ state: inout State, _ body: @escaping (Reader, inout State) -> Void) {
    let isLong = readers.count > Scheduling.batchSize
    // Setting this number allocates memory, so it is set only for long deliveries.
    if isLong { picture.deliveries += 1 }
    visit(readers, &state, body) { [self] state in
      if isLong { picture.deliveries -= 1 }
      releaseUnneededBytes(picture, &state)
    }
  }

  // MARK: Bytes

  /// Delivers the bytes of the current image to readers of the picture.
  /// - Parameters:
  ///   - image: the bytes and, if the former image was decoded at one step only, the pixels of the new image at that step. If the new image
  ///     has the same size, views need the same step, so they show these pixels without being measured again.
  ///   - isDue: whether a reader is to get the bytes. Since the delivery began, the reader may have received or requested something else.
  func deliver(
    _ image: (encoded: Encoded, decoded: PixelPool.Living?), in picture: Picture, at now: Date, _ state: inout State,
    to isDue: @escaping (Reader) -> Bool
  ) {
    let (encoded, decoded) = image
    deliver(in: picture, to: picture.readers.all, &state) { [self] reader, state in
      guard reader.reads(picture, at: encoded.generation), isDue(reader) else { return }
      guard let bytes = picture.encoded else { return findBytesAgain(reader, insteadOf: encoded, at: now, &state) }
      let former = reader.fullSize
      deliverBytes(bytes, to: reader, &state)
      if let decoded, reader.isBound, former == reader.fullSize, decoded.key.variant == reader.variant() {
        adopt(decoded.image, reader, &state)
      }
    }
  }

  /// Delivers the new image to an outdated reader at once, ahead of the delivery to many readers that is under way. Call it before the app
  /// requests more of the reader's image. If the bytes are gone, the delivery under way finds other bytes for the reader, or notifies it
  /// that the image is lost.
  func catchUp(_ reader: Reader, _ state: inout State) {
    if reader.isOutdated, reader.index >= 0, let encoded = reader.picture?.encoded { deliverBytes(encoded, to: reader, &state) }
  }

  /// Delivers the bytes of the current image to a reader, and requests the pixels that it needs.
  func deliverBytes(_ encoded: Encoded, to reader: Reader, _ state: inout State) {
    state.leaveOldImage(reader)
    endRequest(reader, &state)
    setFailure(nil, of: reader, &state)
    (reader.isDeleted, reader.pixelsHaveFailed) = (false, false)
    // Steps refer to the transformed image, and views are measured for that image.
    reader.fullSize = reader.whole(of: encoded.size)
    if reader.isBound, !reader.isUnmeasured {
      reader.isUnmeasured = true
      reader.picture?.unmeasured += 1
    }
    // If no view is left, the steps that views needed do not count.
    let steps = reader.isBound ? reader.needs : []
    reader.needs = []
    commit(reader, &state)
    serve(encoded, to: reader, reader.missingPixels(steps), &state)
  }

  /// Delivers the bytes to the waiters for bytes, and requests pixels from the bytes.
  private func serve(_ encoded: Encoded, to reader: Reader, _ pixels: [PixelPool.Key], _ state: inout State) {
    if reader.hasWaitersForBytes {
      let served = reader.takeWaiters(where: \.needsBytes)
      state.effects.deliver(to: served) { if case .bytes(let deliver) = $0.need { deliver(.success(encoded)) } }
    }
    requestPixels(pixels, of: reader, from: encoded, &state)
  }

  /// Gets the pixels that a reader needs and lacks, from the pool or from bytes in memory. If neither has them, or if a waiter needs bytes
  /// that are not in memory, requests bytes.
  /// - Parameters:
  ///   - steps: the steps that views need, in addition to the steps that waiters need.
  func loadMissing(_ reader: Reader, _ steps: Set<DecodeStep> = [], retrying: FutureImage.Retrying) {
    let now = configuration.now()
    change { loadMissing(reader, steps, retrying: retrying, at: now, &$0) }
  }

  /// Gets the pixels that a reader needs and lacks, as ``loadMissing(_:_:retrying:)`` does, but inside the lock.
  /// - Parameter now: the current date; nil if the reader may show its image again without a revalidation.
  func loadMissing(
    _ reader: Reader, _ steps: Set<DecodeStep> = [], retrying: FutureImage.Retrying, at now: Date? = nil, _ state: inout State
  ) {
    guard let picture = reader.picture, reader.index >= 0 else { return }
    // The delivery of the new image measures the views again, and notifies the waiters.
    if reader.isOutdated { return catchUp(reader, &state) }
    if retrying == .no, reader.hasFailed { return }
    // The app's clock measures the age of the failure, so the age is read outside the lock.
    if retrying != .always, let remembered = reader.remembered {
      return state.effects.later { loader in
        if !remembered.holds { loader.loadMissing(reader, steps, retrying: .always) }
      }
    }
    let missing = reader.missingPixels(steps)
    let needsBytes = reader.hasWaitersForBytes
    if !missing.isEmpty || needsBytes, let encoded = picture.encoded {
      setFailure(nil, of: reader, &state)
      commitStage(of: reader, &state)
      return serve(encoded, to: reader, missing, &state)
    }
    if reader.isPending {
      reader.needs.formUnion(missing.map(\.step))
      return promote(reader, &state)
    }
    guard !missing.isEmpty || needsBytes || reader.fullSize == nil else { return }
    // The network may permit the reader's own image by now.
    if reader.fullSize == nil { leaveSmaller(reader, &state) }
    setFailure(nil, of: reader, &state)
    // A follower requests nothing, so its stage does not change.
    if !reader.isFollower { commitStage(of: reader, &state) }
    // There are no bytes in memory, so search the pool. Pixels that are not in the pool are decoded when bytes arrive.
    var needs: Set<DecodeStep> = []
    for key in missing {
      if let image = pooled(key.variant, atLeast: key.step, &state) {
        countPoolHit()
        adopt(image, reader, &state)
      } else {
        needs.insert(key.step)
      }
    }
    guard !needs.isEmpty || needsBytes || missing.isEmpty, !reader.isFollower else { return }
    request(reader, .bytes)
    reader.needs = needs
    findBytes(reader, at: now ?? .distantPast, &state)
  }

  // MARK: Pixels

  /// Delivers a decoded image to a reader's views, observers, and waiters. Also stores the image in the policy's memory tier, unless the
  /// reader already has another decode with at least as many pixels.
  func adopt(_ image: BaseImage, _ reader: Reader, _ state: inout State) {
    let fullSize = reader.fullSize ?? image.naturalSize
    reader.fullSize = fullSize
    reader.isDeleted = false
    let best = state.retained(reader.largestDecode)
    let isBest = best.map { $0.step < image.step } ?? true
    if isBest { reader.largestDecode = image }
    // An image larger than the limit is retained if no other image waits. If nothing watches the reader, the image becomes visible at once,
    // so it is always retained.
    let hasRoom = state.work.arrivedBytes == 0 || state.work.arrivedBytes + image.byteCount <= configuration.maxPixelBytes
    let isRetained = hasRoom || reader.watched == .nothing
    if isRetained {
      reader.arrived.append(image)
      reader.arrivedBytes += image.byteCount
      state.work.arrivedBytes += image.byteCount
    }
    commit(reader, as: isRetained ? .due : .dueWithoutImage, &state)
    if isBest || best === image, let tier = reader.current.policy.memory, let picture = reader.picture {
      let generation = picture.generation
      state.effects.later { $0.store(image, at: generation, of: picture, in: tier) }
    }
    guard reader.hasWaiters else { return }
    let served = reader.takeWaiters { $0.step(of: fullSize).map { $0 <= image.step } ?? false }
    state.effects.deliver(to: served) { if case .pixels(_, let deliver) = $0.need { deliver(.success(image)) } }
  }

  // MARK: Failures and cancellation

  /// Ends the reader's request with a failure. A failed reload removes nothing, and waiters get the existing image.
  func fail(_ reader: Reader, with remembered: FailureMemory.Entry, _ state: inout State) {
    guard reader.isPending else { return }
    let wasReload = reader.demand == .reload
    endRequest(reader, failure: remembered.failure, &state)
    if wasReload, reader.fullSize != nil {
      commit(reader, &state)
      return loadMissing(reader, retrying: .no, &state)
    }
    reader.needs = []
    setFailure(remembered, of: reader, &state)
    deliverFailure(remembered, reader, &state)
  }

  /// Records that pixels could not be made, and notifies the waiters.
  func failPixels(_ reader: Reader, with remembered: FailureMemory.Entry, _ state: inout State) {
    // A failed reload does not affect the existing image.
    if reader.demand != .reload || reader.fullSize == nil { setFailure(remembered, of: reader, &state) }
    if reader.isPending { reader.pixelsHaveFailed = true }
    deliverFailure(remembered, reader, &state)
  }

  /// Cancels all requests of a reader.
  func cancel(_ reader: Reader, with remembered: FailureMemory.Entry, _ state: inout State) {
    catchUp(reader, &state)
    guard reader.isPending || !reader.decodes.isEmpty || reader.hasWaiters else { return }
    let keepsImage = reader.demand == .reload && reader.fullSize != nil
    endRequest(reader, failure: remembered.failure, &state)
    leaveAll(reader, &state)
    reader.needs = []
    if !keepsImage { setFailure(remembered, of: reader, &state) }
    deliverFailure(remembered, reader, &state)
  }

  /// Delivers the failure to all waiters of the reader.
  func deliverFailure(_ remembered: FailureMemory.Entry, _ reader: Reader, _ state: inout State) {
    if reader.hasWaiters {
      state.effects.deliver(to: reader.takeWaiters { _ in true }) { $0.fail(with: remembered.failure.of($0.descriptor?.source)) }
    }
    commit(reader, &state)
  }

  func setFailure(_ remembered: FailureMemory.Entry?, of reader: Reader, _ state: inout State) {
    guard reader.failure != nil || remembered != nil else { return }
    // The failure may own an error of the app, so it must be released outside of the lock.
    // Race: a failure released inside of the lock.
    if let former = reader.failure { state.departed.add(object: former) }
    reader.failure = remembered
  }

  // MARK: The end of a request

  /// Ends the reader's request for bytes, whatever its outcome.
  /// - Parameter failure: the failure of the request, which the waiters of a reload get; nil for any other outcome.
  func endRequest(_ reader: Reader, failure: FutureImage.Failure? = nil, _ state: inout State) {
    if reader.demand == .reload { reader.observers?.endReloads(failure) }
    if reader.isPending { reader.demand = .none }
    leaveLookup(reader, &state)
    guard reader.isInFetch, let fetch = reader.picture?.fetch else { return reader.isInFetch = false }
    reader.isInFetch = false
    fetch.readerCount -= 1
    if fetch.readerCount == 0 { cancel(fetch, &state) }
  }

  /// Ends the reader's request, and makes it leave all of its jobs.
  func leaveAll(_ reader: Reader, _ state: inout State) {
    if reader.isPending { reader.demand = .none }
    leaveLookup(reader, &state)
    leaveFetch(reader, &state)
    leaveDecodes(reader, &state)
    state.effects.noteEnd()
  }

  func leaveLookup(_ reader: Reader, _ state: inout State) {
    guard let lookup = reader.lookup.take() else { return }
    lookup.readerCount -= 1
    if lookup.hasEnded || lookup.readerCount == 0 { end(lookup, &state) }
  }

  /// Ends a lookup that no reader needs any longer.
  func end(_ lookup: Lookup, _ state: inout State) {
    state.lookups.cancel(lookup)
    lookup.picture.lookups.removeAll { $0 === lookup }
    state.departed.add(object: lookup)
    state.effects.noteEnd()
  }

  // MARK: Visible changes

  /// Makes a change of the reader visible. If nothing watches the reader, this happens at once, and otherwise in a turn of the main actor.
  func commit(_ reader: Reader, as commit: Reader.PendingCommit = .due, _ state: inout State) {
    guard reader.watched > .nothing else {
      state.makeVisible(reader)
      return
    }
    let isFirst = reader.pendingCommit == .none
    if reader.pendingCommit != .dueWithoutImage { reader.pendingCommit = commit }
    if isFirst { state.effects.commit(reader) }
  }

  /// Makes a change of the stage visible, if anything watches the stage. A view without a presentation does not watch the stage.
  func commitStage(of reader: Reader, _ state: inout State) {
    if reader.watched == .phase { commit(reader, &state) }
  }

  /// Records that the views of a reader no longer need the bytes that have arrived.
  func endMeasuring(_ reader: Reader) {
    guard reader.isUnmeasured else { return }
    reader.isUnmeasured = false
    reader.picture?.unmeasured -= 1
  }
}

extension FutureImage.Loader.State {
  /// Makes the arrived images and the current stage visible.
  /// - Returns: the images that have arrived.
  @discardableResult mutating func makeVisible(_ reader: Reader) -> [BaseImage] {
    if reader.watched == .phase {
      // The failure may own an error of the app, so it must be released outside of the lock.
      if case .failed(let former) = reader.visibleStage { departed.add(object: former) }
      reader.visibleStage = reader.stage
    }
    if reader.isDeleted { reader.visible = nil }
    var arrived = takeArrived(reader)
    // An image that was not retained is shown if it still exists. Otherwise, views that lack it request it again.
    if reader.pendingCommit == .dueWithoutImage {
      reader.pendingCommit = .due
      if let best = retained(reader.largestDecode) { arrived.append(best) }
    }
    if arrived.isEmpty { return [] }
    let visible = retained(reader.visible)
    if let largest = arrived.max(by: { $0.step < $1.step }),
      reader.visibleRevision != reader.revision || visible.map({ $0.step <= largest.step }) ?? true
    {
      reader.visible = largest
      reader.visibleRevision = reader.revision
    }
    return arrived
  }

  /// Removes and returns the images that the reader retains until they are shown.
  @discardableResult mutating func takeArrived(_ reader: Reader) -> [BaseImage] {
    let arrived = reader.arrived
    if arrived.isEmpty { return [] }
    for image in arrived { departed.add(object: image) }
    work.arrivedBytes -= reader.arrivedBytes
    (reader.arrived, reader.arrivedBytes) = ([], 0)
    return arrived
  }

  /// Removes the old image from a reader if another image has replaced it, or if it is gone.
  mutating func leaveOldImage(_ reader: Reader) { if reader.isOutdated { leaveImage(reader) } }

  /// Removes the image from a reader.
  mutating func leaveImage(_ reader: Reader) {
    reader.generation = reader.picture?.generation ?? 0
    reader.revision += 1
    reader.largestDecode = nil
    takeArrived(reader)
    if reader.pendingCommit == .dueWithoutImage { reader.pendingCommit = .due }
    for decode in reader.decodes { departed.add(object: decode) }
    reader.decodes = []
    reader.needs = []
    reader.pixelsHaveFailed = false
  }
}

extension Reader {
  /// Removes and returns the matching waiters.
  fileprivate func takeWaiters(where isMeant: (FutureImage.Waiter) -> Bool) -> [FutureImage.Waiter] {
    let taken = waiters.filter(isMeant)
    if !taken.isEmpty { waiters.removeAll(where: isMeant) }
    return taken
  }
}

extension FutureImage {
  /// Whether to retry an image that has failed.
  enum Retrying {
    case no
    /// Retries, unless a remembered failure of the source still applies.
    case unlessRemembered
    /// Retries, because no remembered failure applies any longer.
    case always
  }
}
