/// Futures that look in the caches, and whose source is not to be asked.
extension FutureImage {
  /// The picture that the policy's memory tier has. A tier is asked by the source, and may have what another future made of it.
  func imageInTier(_ descriptor: Descriptor) -> UIImage? {
    guard let memory = descriptor.policy.memory, descriptor.loader.hasSettledMemory(descriptor.key) else { return nil }
    let kept = memory.image(forKey: descriptor.key.text)
    return kept.flatMap { $0.isMade(by: descriptor.transform, size: descriptor.size) ? $0 : nil }
  }

  var notCached: Refusals.Refusal { Refusals.Refusal(passing: Failure(.notCached, source: key ?? "")) }
}
