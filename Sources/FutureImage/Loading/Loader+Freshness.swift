/// Images that are shown while they are revalidated. Source of the terms: RFC 9111.
extension FutureImage.Loader {
  /// Returns the standing of an image that was found in memory.
  func standing(inMemory key: SourceKey) -> FutureImage.CacheEntry.Standing {
    let known = state.withLock { $0.validities.peek(key) }
    return known.map { $0.standing(at: configuration.now()) } ?? .fresh
  }

  /// Revalidates the image after more urgent transfers. The request is answered if its future is still alive.
  func revalidate(_ request: LoadRequest, _ descriptor: Descriptor) {
    let now = configuration.now()
    change { state in
      // Unless it was revalidated since it was found stale.
      guard !request.isCanceled, let known = state.validities.peek(descriptor.key), known.standing(at: now) != .fresh else { return }
      state.requestTransfer(for: request, of: descriptor, reason: .created, as: .revalidation)
    }
  }
}

extension FutureImage.Loader.State {
  mutating func note(_ validity: Validity?, _ key: SourceKey) {
    // The values that leave the cache are dates.
    if let validity, validity.isStated {
      _ = validities.insert(validity, forKey: key, cost: 1)
    } else {
      _ = validities.removeValue(forKey: key)
    }
  }

  /// Notes that a revalidation failed. The image need not be revalidated again at once by every future that finds it, unless it must be.
  mutating func noteFailedRevalidation(_ key: SourceKey, at now: Date, again: Date) {
    if validities.peek(key)?.mustRevalidate != true { note(Validity(receivedAt: now, freshUntil: again), key) }
  }
}
