/// The replacement of a picture's image: by a reload, by a deletion at the source, or by the app.
extension FutureImage.Loader {
  // MARK: Reloads

  /// Requests the image from the source, whatever the caches have. If the policy of the future allows only caches, requests the image from
  /// the caches. All readers of the key get the result, including followers.
  /// - Parameter waiter: the waiter to call when the source has answered.
  func reload(_ reader: Reader, _ waiter: FutureImage.ReloadWaiter? = nil) {
    let now = configuration.now()
    change { state in
      register(reader, &state)
      catchUp(reader, &state)
      leaveSmaller(reader, &state)
      // The reader's future may be gone by now.
      guard let picture = reader.picture, reader.index >= 0, !reader.isFollower else { return }
      if let waiter { reader.watching().reloads.append(waiter) }
      leaveLookup(reader, &state)
      request(reader, .reload)
      setFailure(nil, of: reader, &state)
      commit(reader, &state)
      guard reader.descriptor.policy.asksSource else { return findBytes(reader, at: now, &state) }
      picture.forgetFailures(&state.departed)
      joinFetch(reader, as: .reload, &state)
      if let fetch = picture.fetch {
        fetch.purpose = .reload
        if state.fetches.promote(fetch, to: state.newRank(.bound, reader.descriptor.priority)) { escalate(fetch) }
        unpark(fetch, &state)
      }
    }
  }

  // MARK: Replacing

  /// Replaces the image of a picture, and ends the fetch, the lookups, and the decodes of the old image, which are no longer useful. The
  /// readers have no current image until the new image is delivered to them.
  func replaceImage(of picture: Picture, _ state: inout State) {
    if let fetch = picture.fetch { cancel(fetch, &state) }
    bringBackMovedReaders(of: picture, &state)
    for lookup in picture.lookups { end(lookup, &state) }
    for decode in picture.decodes { cancel(decode, &state) }
    picture.generation += 1
    picture.notes.isOfApp = false
    state.bytes.release(picture, &state.departed)
    state.bytes.releaseBeginning(of: picture, &state.departed)
    // The pixels are removed inside the lock, so that no new future finds them.
    state.departed.add(pool.take(source: picture.key, before: picture.generation))
    let tiers = picture.memoryTiers
    if tiers.isEmpty { return }
    picture.notes.memoryChanges += 1
    state.effects.later { loader in
      for tier in tiers { tier.remove(forKey: picture.key.text) }
      loader.endMemoryChange(picture)
    }
  }

  /// Removes an image from all tiers and readers, because its source has deleted it, or because the app has undone the call that set it.
  /// Views continue to show the image, unless the body changes them.
  /// - Parameter body: called for each reader that has no image now, with whether the reader has requested the image again.
  func removeImage(of picture: Picture, _ state: inout State, _ body: @escaping (Reader, Bool, inout State) -> Void) {
    replaceImage(of: picture, &state)
    picture.note(nil)
    withdrawStaged(picture, &state)
    enqueue(.remove, of: picture.key, in: allTiers(of: picture), &state)
    let generation = picture.generation
    visit(picture.readers.all, &state) { [self] reader, state in
      guard reader.isOutdated, reader.reads(picture, at: generation) else { return }
      let isRequested = reader.isInFetch || reader.lookup.map { !$0.hasEnded } ?? false
      // Another fetch may have brought an image since the first readers were visited.
      if !isRequested, let encoded = picture.encoded { return deliverBytes(encoded, to: reader, &state) }
      state.leaveOldImage(reader)
      reader.fullSize = nil
      reader.isDeleted = true
      endMeasuring(reader)
      body(reader, isRequested, &state)
    }
  }

  /// Ends a run whose source has deleted the image since it was fetched: RFC 9111, section 4.3.3. Views that show the image continue to
  /// show it until they are bound again.
  /// - Returns: whether the run ends because of the deletion. The result is false if no image was known when the fetch was requested, if
  ///   the fetch has already ended, or if the app has set the image. The source need not have an image that the app has set.
  func endDeleted(_ fetch: Fetch, run: UInt64, by remembered: FailureMemory.Entry, _ state: inout State) -> Bool {
    let picture = fetch.picture
    guard fetch.purpose.mayReplace, !picture.notes.isOfApp, !fetch.hasEnded else { return false }
    guard finish(fetch, run: run, &state) else { return true }
    state.effects.report(.failed(remembered.failure), picture.key)
    state.statistics.failures += 1
    picture.notes.hasFailed = true
    picture.remembered.failureMemory.insert(remembered, &state.departed)
    removeImage(of: picture, &state) { [self] reader, isRequested, state in
      if isRequested { return }
      endRequest(reader, failure: remembered.failure, &state)
      setFailure(remembered, of: reader, &state)
      deliverFailure(remembered, reader, &state)
    }
    return true
  }
}
