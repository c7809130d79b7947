/// Smaller images in place of those that are not loaded on networks to avoid.
///
/// Futures of one key share a request to the source, but each names its own smaller image, or none. So when the network turns out to be one
/// to avoid, each reader that names one moves to the picture of that image. It moves back when it requests its own image again.
extension FutureImage.Loader {
  /// Moves the readers that wait for the fetch, and that name a smaller image, to that. Those that have had their own image stay.
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
        seekBytes(reader, at: now, &state)
      }
      return !moving.isEmpty
    }
  }

  /// Begins a run anew if a reader for which the image is a smaller one has joined it, after the network turned out to be one to avoid.
  /// - Returns: whether another run follows.
  func resume(_ fetch: Fetch, run: UInt64, _ history: Transfer.AttemptHistory) -> Bool {
    guard state.withLock({ _ in fetch.isForAnyNetwork }), park(fetch, run: run, history) else { return false }
    change { unpark(fetch, run: run, &$0) }
    return true
  }

  /// Moves a reader back to its own image. It has none of it yet, and what it shows remains.
  func leaveSmaller(_ reader: Reader, _ state: inout State) {
    guard reader.smaller != nil else { return }
    let hasFailed = reader.failure != nil
    // A request goes on, for its own image.
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
  /// Whether it waits for an image that it has never had, and names a smaller one.
  fileprivate var mayUseSmaller: Bool { isInFetch && fullSize == nil && smaller == nil && descriptor.source.smaller != nil }
}

extension Descriptor {
  /// A copy for the smaller image that is loaded on networks to avoid; nil if the source names none.
  fileprivate var smaller: Descriptor? { source.smaller.map { besideAnother(from: $0, isDark: isDark) } }
}
