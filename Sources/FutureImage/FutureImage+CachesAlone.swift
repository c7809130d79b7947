/// Futures that look in the caches, and whose source is not to be asked.
extension FutureImage {
  /// The picture that the policy's memory tier has. A tier is asked by the source, and may have what another future made of it.
  func imageInTier(_ descriptor: Descriptor) -> UIImage? {
    let kept = descriptor.policy.memory?.image(forKey: descriptor.key.text)
    return kept.flatMap { $0.isMade(by: descriptor.transform, size: descriptor.size) ? $0 : nil }
  }

  var notCached: Refusals.Refusal { Refusals.Refusal(passing: Failure(.notCached, source: key ?? "")) }

  /// Answers a wish for bytes that no disk tier and no future has, where the source is not to be asked. The policy's memory tier may have
  /// been filled since.
  func missed(_ ticket: UInt32) {
    guard let descriptor else { return }
    let revision = state.withLock { $0.revision }
    if let image = imageInTier(descriptor), descriptor.loader.standing(inMemory: descriptor.key) != .unconfirmed,
      adopt(
        image, revision, descriptor,
        if: { state in
          guard state.wish.end(ticket) else { return false }
          state.stage = .fetched
          return true
        })
    {
      return descriptor.loader.countPoolHit()
    }
    failed(notCached, ticket)
    // Another future's bytes may have come between the look and this.
    if let known = descriptor.loader.knownBytes(of: descriptor.key, besides: self) { recovered(by: known) }
  }
}
