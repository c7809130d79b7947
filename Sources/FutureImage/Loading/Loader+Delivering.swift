/// The last stage: bytes, pixels, and failures reach the readers. Visible changes wait for a turn of the main actor: see
/// ``Reader/commit(_:)``.
extension FutureImage.Loader {
  // MARK: Many readers

  /// Calls the body for each of the objects: for the first few in the change under way, for others in changes that follow it, because other
  /// threads need the lock meanwhile. So the body checks whether an object still needs what is done for it.
  /// - Parameter end: called in the change of the last one.
  func visit<Object>(
    _ objects: [Object], _ state: inout State, _ body: @escaping (Object, inout State) -> Void,
    end: @escaping (inout State) -> Void = { _ in }
  ) {
    let few = Scheduling.few
    for object in objects.prefix(few) { body(object, &state) }
    guard objects.count > few else { return end(&state) }
    for start in stride(from: few, to: objects.count, by: few) {
      state.effects.rest { loader in
        loader.changePart { state in
          for object in objects[start...].prefix(few) { body(object, &state) }
          if start + few >= objects.count { end(&state) }
        }.1
      }
    }
  }

  /// Seeks bytes for a reader that was to get some. Since the first change, those have turned out to be damaged, or others have taken their
  /// room.
  private func seekAgain(_ reader: Reader, insteadOf encoded: Encoded, at now: Date, _ state: inout State) {
    let isReplaced = reader.isOutdated
    state.leaveOldImage(reader)
    if isReplaced { (reader.fullSize, reader.isDeleted) = (reader.whole(of: encoded.size), false) }
    if reader.awaitsNothing { return seekBytes(reader, at: now, &state) }
    guard isReplaced, !reader.isPending else { return }
    setFailure(nil, of: reader, &state)
    commit(reader, &state)
    loadMissing(reader, retrying: .no, at: now, &state)
  }

  /// Calls the body for readers, a few in each change. The picture retains its bytes until the last of them, unless newer bytes of other
  /// pictures need the room.
  func deliver(in picture: Picture, to readers: [Reader], _ state: inout State, _ body: @escaping (Reader, inout State) -> Void) {
    let isLong = readers.count > Scheduling.few
    // Few pictures have room for this number.
    if isLong { picture.deliveries += 1 }
    visit(readers, &state, body) { [self] state in
      if isLong { picture.deliveries -= 1 }
      releaseUnneededBytes(picture, &state)
    }
  }

  // MARK: Bytes

  /// Gives the bytes of the present image to readers of the picture.
  /// - Parameters:
  ///   - decoded: the only pixels that were needed of the former image, made of the new one. Views show them without measuring again, if
  ///     the image has not changed its size: then they need the same step of it.
  ///   - isDue: whether a reader is to get them. It may have got or requested something else since the first change.
  func deliver(
    _ encoded: Encoded, in picture: Picture, _ decoded: PixelPool.Living? = nil, at now: Date, _ state: inout State,
    to isDue: @escaping (Reader) -> Bool
  ) {
    deliver(in: picture, to: picture.readers.all, &state) { [self] reader, state in
      guard reader.reads(picture, at: encoded.generation), isDue(reader) else { return }
      guard let bytes = picture.encoded else { return seekAgain(reader, insteadOf: encoded, at: now, &state) }
      let former = reader.fullSize
      deliverBytes(bytes, to: reader, &state)
      if let decoded, reader.isBound, former == reader.fullSize, decoded.key.variant == reader.variant() {
        adopt(decoded.image, reader, &state)
      }
    }
  }

  /// Gives a reader the image that is about to replace its own among those of many others, before the app asks for more of it. If the
  /// bytes are gone, the delivery to the many finds others for it, or tells it that the image is lost.
  func catchUp(_ reader: Reader, _ state: inout State) {
    if reader.isOutdated, reader.index >= 0, let encoded = reader.picture?.encoded { deliverBytes(encoded, to: reader, &state) }
  }

  /// Gives the bytes of the present image to a reader, and requests the pixels that it needs of them.
  func deliverBytes(_ encoded: Encoded, to reader: Reader, _ state: inout State) {
    state.leaveOldImage(reader)
    endRequest(reader, &state)
    setFailure(nil, of: reader, &state)
    (reader.isDeleted, reader.pixelsHaveFailed) = (false, false)
    // The steps are those of the transformed image, and views are measured against it.
    reader.fullSize = reader.whole(of: encoded.size)
    if reader.isBound, !reader.isUnmeasured {
      reader.isUnmeasured = true
      reader.picture?.unmeasured += 1
    }
    // Views that are gone need no pixels.
    let steps = reader.isBound ? reader.needs : []
    reader.needs = []
    commit(reader, &state)
    requestPixels(reader.missingPixels(steps), of: reader, from: encoded, &state)
  }

  /// Gets the pixels that a reader needs and lacks: from the pool, from bytes in memory, or by a request for bytes.
  /// - Parameters:
  ///   - steps: the steps that views need, in addition to those of waiters.
  ///   - onlyIfAwaited: whether to do nothing without waiters, which may all have their results by now.
  func loadMissing(_ reader: Reader, _ steps: Set<DecodeStep> = [], retrying: FutureImage.Retrying, onlyIfAwaited: Bool = false) {
    let now = configuration.now()
    change { loadMissing(reader, steps, retrying: retrying, onlyIfAwaited: onlyIfAwaited, at: now, &$0) }
  }

  /// Does the same inside the lock.
  /// - Parameter now: nil if no image of the reader can need a revalidation first.
  func loadMissing(
    _ reader: Reader, _ steps: Set<DecodeStep> = [], retrying: FutureImage.Retrying, onlyIfAwaited: Bool = false, at now: Date? = nil,
    _ state: inout State
  ) {
    guard let picture = reader.picture, reader.index >= 0 else { return }
    if onlyIfAwaited, !reader.hasWaiters { return }
    // With the new image, its views are measured again, and its waiters are told.
    if reader.isOutdated { return catchUp(reader, &state) }
    if retrying == .no, reader.hasFailed { return }
    // The age of the failure is read outside the lock.
    if retrying != .always, let remembered = reader.remembered {
      return state.effects.later { loader in
        if !remembered.holds { loader.loadMissing(reader, steps, retrying: .always, onlyIfAwaited: onlyIfAwaited) }
      }
    }
    let missing = reader.missingPixels(steps)
    if !missing.isEmpty, let encoded = picture.encoded {
      setFailure(nil, of: reader, &state)
      commitStage(of: reader, &state)
      return requestPixels(missing, of: reader, from: encoded, &state)
    }
    if reader.isPending {
      reader.needs.formUnion(missing.map(\.step))
      return promote(reader, &state)
    }
    guard !missing.isEmpty || reader.fullSize == nil else { return }
    // Its own image may be loaded again by now.
    if reader.fullSize == nil { leaveSmaller(reader, &state) }
    setFailure(nil, of: reader, &state)
    // A follower requests nothing, so its stage stays.
    if !reader.isFollower { commitStage(of: reader, &state) }
    // Takes pixels from the pool, without bytes in memory. Those missing there are decoded when bytes arrive.
    var needs: Set<DecodeStep> = []
    for key in missing {
      if let image = pooled(key.variant, atLeast: key.step, &state) {
        countPoolHit()
        adopt(image, reader, &state)
      } else {
        needs.insert(key.step)
      }
    }
    guard !needs.isEmpty || missing.isEmpty, !reader.isFollower else { return }
    request(reader, .bytes)
    reader.needs = needs
    seekBytes(reader, at: now ?? .distantPast, &state)
  }

  // MARK: Pixels

  /// Gives a decoded image to a reader: to views and observers, to the policy's memory tier if it is the largest, and to waiters.
  func adopt(_ image: UIImage, _ reader: Reader, _ state: inout State) {
    let fullSize = reader.fullSize ?? image.naturalSize
    reader.fullSize = fullSize
    reader.isDeleted = false
    let best = state.retained(reader.largestDecode)
    let isBest = best.map { $0.step < image.step } ?? true
    if isBest { reader.largestDecode = image }
    // An image larger than the limit has room while no other waits. One that nothing watches is visible at once.
    let hasRoom = state.work.arrivedBytes == 0 || state.work.arrivedBytes + image.byteCount <= configuration.maxPixelBytes
    let isHeld = hasRoom || reader.watched == .nothing
    if isHeld {
      reader.arrived.append(image)
      reader.arrivedBytes += image.byteCount
      state.work.arrivedBytes += image.byteCount
    }
    commit(reader, as: isHeld ? .due : .dueWithoutImage, &state)
    if isBest || best === image, let tier = reader.current.policy.memory, let picture = reader.picture {
      let generation = picture.generation
      state.effects.later { $0.store(image, at: generation, of: picture, in: tier) }
    }
    guard reader.hasWaiters else { return }
    let told = reader.waiters.filter { DecodeStep(showing: fullSize, $0.fitting) <= image.step }
    reader.waiters.removeAll { DecodeStep(showing: fullSize, $0.fitting) <= image.step }
    state.effects.tell(told, .success(image))
  }

  // MARK: Failures and cancellation

  /// Ends the reader's request with a failure. A failed reload removes nothing: waiters get the existing image.
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
    tell(remembered, reader, &state)
  }

  /// Notes that pixels could not be made.
  func failPixels(_ reader: Reader, with remembered: FailureMemory.Entry, _ state: inout State) {
    // A failed reload does not affect the existing image.
    if reader.demand != .reload || reader.fullSize == nil { setFailure(remembered, of: reader, &state) }
    if reader.isPending { reader.pixelsHaveFailed = true }
    tell(remembered, reader, &state)
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
    tell(remembered, reader, &state)
  }

  /// Delivers the failure to all waiters.
  func tell(_ remembered: FailureMemory.Entry, _ reader: Reader, _ state: inout State) {
    if reader.hasWaiters {
      state.effects.tell(reader.waiters, .failure(remembered))
      reader.waiters = []
    }
    commit(reader, &state)
  }

  func setFailure(_ remembered: FailureMemory.Entry?, of reader: Reader, _ state: inout State) {
    guard reader.failure != nil || remembered != nil else { return }
    // A failure may own an error of the app's.
    // Race: a failure released inside of the lock.
    if let former = reader.failure { state.departed.add(object: former) }
    reader.failure = remembered
  }

  // MARK: The end of a request

  /// Ends the reader's request for bytes, in whatever way.
  /// - Parameter failure: the failure of a reload.
  func endRequest(_ reader: Reader, failure: FutureImage.Failure? = nil, _ state: inout State) {
    if reader.demand == .reload { reader.observers?.endReloads(failure) }
    if reader.isPending { reader.demand = .none }
    leaveLookup(reader, &state)
    guard reader.isInFetch, let fetch = reader.picture?.fetch else { return reader.isInFetch = false }
    reader.isInFetch = false
    fetch.readerCount -= 1
    if fetch.readerCount == 0 { cancel(fetch, &state) }
  }

  /// Ends all that is done for the reader.
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
    if lookup.isOver || lookup.readerCount == 0 { end(lookup, &state) }
  }

  /// Ends a lookup that nothing needs any more.
  func end(_ lookup: Lookup, _ state: inout State) {
    state.lookups.cancel(lookup)
    lookup.picture.lookups.removeAll { $0 === lookup }
    state.departed.add(object: lookup)
    state.effects.noteEnd()
  }

  // MARK: Visible changes

  /// Makes a change of the reader visible: at once if nothing watches it, otherwise in a turn of the main actor.
  func commit(_ reader: Reader, as commit: Reader.PendingCommit = .due, _ state: inout State) {
    guard reader.watched > .nothing else {
      state.makeVisible(reader)
      return
    }
    let isFirst = reader.pendingCommit == .none
    if reader.pendingCommit != .dueWithoutImage { reader.pendingCommit = commit }
    if isFirst { state.effects.commit(reader) }
  }

  /// Makes a change visible if only the stage has changed, which a view without a presentation does not show.
  func commitStage(of reader: Reader, _ state: inout State) {
    if reader.watched == .phase { commit(reader, &state) }
  }

  /// Notes that the views of a reader need no bytes until others arrive.
  func endMeasuring(_ reader: Reader) {
    guard reader.isUnmeasured else { return }
    reader.isUnmeasured = false
    reader.picture?.unmeasured -= 1
  }
}

extension FutureImage.Loader.State {
  /// Shows what has arrived.
  /// - Returns: the images that arrived.
  @discardableResult mutating func makeVisible(_ reader: Reader) -> [UIImage] {
    if reader.watched == .phase {
      // A failure may own an error of the app's.
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

  /// Takes the images that the reader retains until they are shown.
  @discardableResult mutating func takeArrived(_ reader: Reader) -> [UIImage] {
    let arrived = reader.arrived
    if arrived.isEmpty { return [] }
    for image in arrived { departed.add(object: image) }
    work.arrivedBytes -= reader.arrivedBytes
    (reader.arrived, reader.arrivedBytes) = ([], 0)
    return arrived
  }

  /// Takes the old image from a reader if another one has replaced it, or if it is gone.
  mutating func leaveOldImage(_ reader: Reader) { if reader.isOutdated { leaveImage(reader) } }

  /// Takes its image from a reader.
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

extension FutureImage {
  /// Whether a failed future tries again.
  enum Retrying {
    case no
    /// Retries, unless a permanent failure still applies to the source.
    case unlessRemembered
    /// Retries: the permanent failure is known to have expired.
    case always
  }
}
