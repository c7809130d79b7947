/// Futures that look only in the caches, and must not ask their source.
extension FutureImage {
  /// Returns the image in the policy's memory tier. A tier is keyed by source, and may have an image that another future's transform made.
  func imageInTier(_ descriptor: Descriptor) -> UIImage? {
    guard let memory = descriptor.policy.memory, descriptor.loader.hasSettledMemory(descriptor.key) else { return nil }
    let kept = memory.image(forKey: descriptor.key.text)
    return kept.flatMap { $0.isMade(by: descriptor.transform, size: descriptor.size) ? $0 : nil }
  }

  var notCached: Refusals.Refusal { Refusals.Refusal(passing: failure(.notCached)) }
}
