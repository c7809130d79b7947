/// Smaller images, which are loaded in place of others on networks that the app avoids.
///
/// Futures of one key share a fetch, but each future names its own smaller image, or none. So when the network turns out to be one that the
/// app avoids, each reader that names a smaller image moves to the picture of that image. The reader moves back when it requests its own
/// image again.
extension FutureImage.Loader {
  /// Moves readers that wait for the fetch to the pictures of the smaller images that they name. A reader stays if it names no smaller
  /// image, or if its own image has arrived before.
  /// - Returns: whether any reader has moved.
  func useSmaller(insteadOf fetch: Fetch, run: UInt64) -> Bool {
    let now = configuration.now()
    return change { state in
      guard fetch.isCurrent(run: run) else { return false }
      let picture = fetch.picture
      let moving = picture.readers.filter(\.mayUseSmaller)
      visit(moving, &state) { [self] reader, state in
        guard fetch.isCurrent(run: run), reader.picture === picture, reader.mayUseSmaller, let smaller = reader.descriptor.smaller else {
          return
        }
        leaveFetch(reader, &state)
        picture.notes.movedReaders[ObjectIdentifier(reader)] = reader
        move(reader, to: smaller, &state)
        findBytes(reader, at: now, &state)
      }
      return !moving.isEmpty
    }
  }

  /// Starts another run after a run failed because the app avoids the network. A smaller image is loaded on any network. So another run
  /// follows if a reader that needs the fetched image as its smaller image has joined the fetch meanwhile.
  /// - Returns: whether another run follows.
  func resume(_ fetch: Fetch, run: UInt64, _ history: Transfer.AttemptHistory) -> Bool {
    guard state.withLock({ _ in fetch.isForAnyNetwork }), park(fetch, run: run, history) else { return false }
    change { unpark(fetch, run: run, &$0) }
    return true
  }

  /// Moves a reader back to its own image, of which it has no pixels yet. What the reader shows does not change.
  func leaveSmaller(_ reader: Reader, _ state: inout State) {
    guard reader.smaller != nil else { return }
    let hasFailed = reader.failure != nil
    // A pending request continues, for the reader's own image.
    leaveLookup(reader, &state)
    leaveFetch(reader, &state)
    leaveDecodes(reader, &state)
    move(reader, to: nil, &state)
    reader.picture?.notes.movedReaders[ObjectIdentifier(reader)] = nil
    if hasFailed { reader.picture?.notes.hasFailed = true }
  }

  /// Moves readers back to their own image, which has arrived or is gone.
  func bringBackMovedReaders(of picture: Picture, _ state: inout State) {
    if picture.notes.movedReaders.isEmpty { return }
    let moved = picture.notes.movedReaders.values.map(\.self)
    picture.notes.movedReaders = [:]
    for reader in moved { leaveSmaller(reader, &state) }
  }

  private func move(_ reader: Reader, to smaller: Descriptor?, _ state: inout State) {
    endMeasuring(reader)
    let hasPreviews = reader.picture?.notes.hasPreviews == true
    if let former = reader.picture {
      state.departed.add(object: former)
      if state.pictures.remove(reader) { endFutures(of: former, reader, &state) } else { releaseUnneededBytes(former, &state) }
    }
    if let former = reader.smaller { state.departed.add(object: former) }
    reader.smaller = smaller
    state.pictures.insert(reader)
    if hasPreviews { reader.picture?.notes.hasPreviews = true }
    state.leaveImage(reader)
    reader.fullSize = nil
    reader.needs = []
  }
}

extension Reader {
  /// Whether the reader waits for an image that it has never had, and names a smaller image.
  fileprivate var mayUseSmaller: Bool { isInFetch && fullSize == nil && smaller == nil && descriptor.source.smaller != nil }
}

extension Descriptor {
  /// A copy for the smaller image that is loaded on avoided networks; nil if the source names no such image.
  fileprivate var smaller: Descriptor? { source.smaller.map { besideAnother(from: $0, isDark: isDark) } }
}
