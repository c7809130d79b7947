/// The only way out of a future's lock. A transition of ``State`` changes the state and returns its effects; ``perform(_:)`` performs them.
extension FutureImage {
  /// The consequences of a change of the state.
  struct Effects {
    /// The requests to cancel.
    var canceled: [LoadRequest] = []
    var next = Next.nothing
    /// Whether the main actor has to make the change visible.
    var mustCommit = false
    /// The waiters to call, and the result that they get.
    var told: [Waiter] = []
    var result: Result<UIImage, Failure>?

    /// The next thing that the future needs.
    enum Next {
      case nothing
      /// Bytes that are already requested.
      case promotion(Rank.Reason)
      /// Bytes, for which to register this request.
      /// - Parameter isForBetter: whether a disk tier's bytes could not be decoded.
      case bytes(LoadRequest, Rank.Reason, isForBetter: Bool = false)
      /// Pixels, for which to register these requests.
      case pixels([LoadRequest], from: Encoded)
      /// Pixels from the pool, otherwise bytes to decode.
      case pooled([PixelPool.Key])
      /// Another search for missing pixels, if the permanent failure no longer applies to the source.
      case restart(Refusals.Refusal, Set<Step>, onlyIfAwaited: Bool)
      /// Another search for missing pixels.
      case pursuit
    }
  }

  /// Changes the state, and performs the effects before this returns.
  func change(_ body: (inout State) -> Effects) { perform(state.withLock(body)) }

  func perform(_ effects: Effects) {
    guard let descriptor else { return }
    let loader = descriptor.loader
    if !effects.canceled.isEmpty { loader.cancel(effects.canceled, descriptor) }
    switch effects.next {
    case .nothing, .pursuit: break
    case .restart(let refusal, let steps, let onlyIfAwaited):
      if !refusal.holds { pursue(steps, retrying: .always, onlyIfAwaited: onlyIfAwaited) }
    case .promotion(let urgency): loader.promoteBytes(descriptor, reason: urgency)
    case .bytes(let request, let urgency, let isForBetter):
      loader.requestBytes(request, of: self, descriptor, reason: urgency, isForBetter: isForBetter)
    case .pixels(let requests, let encoded): request(requests, from: encoded, descriptor)
    case .pooled(let keys): takeFromPool(keys, descriptor)
    }
    if effects.mustCommit { scheduleCommit(descriptor) }
    if let result = effects.result, !effects.told.isEmpty {
      assertNoLockIsHeld()
      for waiter in effects.told { waiter.tell(result) }
    }
    if case .pursuit = effects.next { pursue(retrying: .no) }
  }

  private func request(_ requests: [LoadRequest], from encoded: Encoded, _ descriptor: Descriptor) {
    let urgency = urgency
    for request in requests {
      guard let key = request.pixels else { continue }
      // Its closure, which makes the pixels, is the source.
      if encoded.sized != nil, !descriptor.policy.asksSource, descriptor.loader.pool.image(key.variant, atLeast: key.step) == nil {
        take(.failure(notCached), for: request)
      } else if let image = descriptor.loader.requestPixels(request, key, descriptor, from: encoded, reason: urgency) {
        take(.image(image), for: request)
      }
    }
  }

  /// Takes pixels from the pool, without bytes in memory. Pixels missing there are decoded when bytes arrive.
  private func takeFromPool(_ keys: [PixelPool.Key], _ descriptor: Descriptor) {
    var missing: Set<Step> = []
    for key in keys {
      guard let image = descriptor.loader.pooled(key) else {
        missing.insert(key.step)
        continue
      }
      adopt(image, key.variant.revision, descriptor)
    }
    if !missing.isEmpty { change { $0.requestBytes(for: missing, of: self) } }
  }

  func scheduleCommit(_ descriptor: Descriptor) {
    descriptor.loader.deliver { self.commit() }
  }
}
