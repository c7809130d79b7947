/// Pictures that are shown while it is seen whether they still hold. Source of the terms: RFC 9111.
extension FutureImage.Loader {
  /// What may be done with an entry that was found, and a note of it for pictures of the key that are met in memory.
  func standing(of entry: FutureImage.CacheEntry, _ key: SourceKey) -> FutureImage.CacheEntry.Standing {
    let now = configuration.now()
    let standing = entry.standing(at: now)
    return state.withLock { state in
      // Confirmed, or asked about in vain, since it was stored.
      if standing == .stale, state.validities.peek(key)?.standing(at: now) == .fresh { return .fresh }
      // A tier that keeps bodies only knows nothing of what the server said.
      if entry.validity.isStated { state.note(entry.rebased(to: now).validity, key) }
      return standing
    }
  }

  /// What may be done with a picture that was met in memory.
  func standing(inMemory key: SourceKey) -> FutureImage.CacheEntry.Standing {
    let known = state.withLock { $0.validities.peek(key) }
    return known.map { $0.standing(at: configuration.now()) } ?? .fresh
  }

  /// Asks the source behind what is wanted more urgently. The request is answered, if its future still lives.
  func revalidate(_ request: LoadRequest, _ descriptor: Descriptor) {
    let now = configuration.now()
    change { state in
      // Unless it was asked about since somebody found it stale.
      guard !request.isCanceled, let known = state.validities.peek(descriptor.key), known.standing(at: now) != .fresh else { return }
      state.requestTransfer(request, descriptor, .created, .revalidation)
    }
  }
}

extension FutureImage.Loader.State {
  mutating func note(_ validity: Validity?, _ key: SourceKey) {
    // What leaves the cache are dates.
    if let validity, validity.isStated {
      _ = validities.insert(validity, forKey: key, cost: 1)
    } else {
      _ = validities.removeValue(forKey: key)
    }
  }

  /// A picture was asked about in vain. It need not be asked about again at once by everybody who meets it, unless it must be.
  mutating func noteFailedRevalidation(_ key: SourceKey, at now: Date, again: Date) {
    if validities.peek(key)?.mustRevalidate != true { note(Validity(receivedAt: now, freshUntil: again), key) }
  }
}
