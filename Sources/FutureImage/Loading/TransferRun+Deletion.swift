/// Images that their source has deleted since they were fetched. Source of the terms: RFC 9111, section 4.3.3.
extension TransferRun {
  /// Removes an image that its source has deleted: RFC 9111, section 4.3.3. Views that show it keep it until they are bound again.
  /// - Returns: false if the image is one that the app has set, which its source does not know, or if none was known when the transfer was
  ///   requested.
  func lose(by refusal: Refusals.Refusal) -> Bool {
    var isKnown = false
    loader.change { state -> Lost? in
      guard let input = state.transfers[key], input.purpose.mayReplace, state.pictures[key]?.isOfApp != true else { return nil }
      isKnown = true
      guard let requests = state.finishTransfer(key, run: number) else { return nil }
      let (generation, dropped) = state.replace(key, in: loader.pool)
      state.statistics.failures += 1
      state.pictures.change(key) { $0.hasFailed = true }
      state.refusals.insert(refusal, of: key)
      state.note(nil, key)
      state.withdrawStaged(key, by: loader)
      loader.remove(key, from: [loader.configuration.diskCache].compactMap(\.self) + input.tiers + state.tiers(of: key), &state)
      return Lost(generation: generation, answered: Set(([requests] + dropped).joined()))
    } telling: { lost in
      guard let lost else { return }
      loader.tell(.failed(refusal.failure), key)
      loader.pool.remove(source: key, before: lost.generation)
      loader.forEachFuture(of: key) { $0.lose(by: refusal, at: lost.generation, answering: lost.answered) }
    } then: { state, lost in
      if lost != nil { state.pictures.endMemoryChange(key) }
    }
    return isKnown
  }

  private struct Lost {
    let generation: UInt32
    let answered: Set<LoadRequest>
  }
}

extension FutureImage {
  /// Loses the image, which its source has deleted. It stays where it is shown.
  /// - Parameters:
  ///   - revision: the generation that counts from now on, of which there is no image.
  ///   - answered: the requests that this answers.
  fileprivate func lose(by refusal: Refusals.Refusal, at revision: UInt32, answering answered: Set<LoadRequest>) {
    guard let descriptor else { return }
    let effects = withImages { $0.lose(by: refusal, at: revision, answering: answered) }
    descriptor.policy.memory?.remove(forKey: descriptor.key.text)
    perform(effects)
    // Another future's bytes may have arrived before this future lost its image. It was not notified of them, because it had one.
    let request = LoadRequest(.bytes, of: self)
    if let known = descriptor.loader.knownBytes(of: descriptor.key, besides: self, for: request) { recover(with: known) }
  }
}

extension FutureImage.State {
  /// Whether an image that is still visible was deleted or withdrawn.
  var isDeleted: Bool { natural == nil }

  fileprivate mutating func lose(by refusal: Refusals.Refusal, at revision: UInt32, answering answered: Set<LoadRequest>) -> Effects {
    revalidation = nil
    let isAnswer = wish.request.map { answered.contains($0) } ?? false
    guard self.revision < revision || isAnswer else { return Effects() }
    if let request = wish.request, isAnswer { noteReload(request, failedWith: refusal.failure) }
    if self.revision < revision {
      leavePicture(for: revision)
      size = .unknown
      encoded = nil
    } else if natural != nil {
      // A newer image has arrived before this answer.
      wish = .none
      stage = .fetched
      return Effects(next: .pursuit, mustCommit: mustCommit())
    }
    // A later request gets an answer of its own.
    guard isAnswer || wish == .none else { return Effects() }
    wish = .none
    fail(refusal)
    return tell(refusal.failure)
  }
}

extension FutureImage.Failure {
  /// Whether the source says that it has the image no longer. A server that is in trouble says something else.
  var isDeletion: Bool { reason == .status(404) || reason == .status(410) }
}
