import FutureImage

extension Cache {
  /// Returns the value from the first of these places that has it: memory, disk, the original, and the source.
  func find(_ key: String, _ variant: Variant, from source: FutureImage.Source?) async throws -> Value? {
    try await box(key, variant, from: source)?.value
  }

  private func box(_ key: String, _ variant: Variant, from source: FutureImage.Source?) async throws -> CacheBox<Value>? {
    let variantKey = VariantKey(key: key, variant: variant.name)
    // Watch the key as long as this call waits, not only while the search reads. A request that is made after a change must not join a
    // search that already has its value and is about to return it.
    let (known, changes) = state.withLock { state -> (Found, UInt64) in
      let known = lookUp(for: variantKey, &state)
      return (known, known.box == nil ? state.watch.beginReading(key) : 0)
    }
    if let known = known.box { return known }
    defer { state.withLock { $0.watch.endReading(key) } }
    // Race: a search that is joined after its value was removed.
    let job = Job(key: key, variant: variant.name, fetches: source != nil, changes: changes)
    return try await finding.value(of: job) { try await self.search(variantKey, as: variant, from: source) }
  }

  private func search(_ variantKey: VariantKey, as variant: Variant, from source: FutureImage.Source?) async throws -> CacheBox<Value>? {
    let (known, changes) = state.withLock { (lookUp(for: variantKey, &$0), $0.watch.beginReading(variantKey.key)) }
    defer { state.withLock { $0.watch.endReading(variantKey.key) } }
    if let known = known.box { return known }
    if known.mayBeOnDisk, let read = await read(variantKey, changes) { return read }
    try Task.checkCancellation()
    guard !variant.isOriginal else {
      guard let source else { return nil }
      return try await fetch(source, changes)
    }
    guard let original = try await box(variantKey.key, .original, from: source) else { return nil }
    let made = CacheBox(try await transform(original.value, to: variant, for: variantKey.key), mayStore: original.mayStore)
    keep(made, with: nil, in: variantKey, since: changes)
    return made
  }

  private func read(_ variantKey: VariantKey, _ changes: UInt64) async -> CacheBox<Value>? {
    guard let disk = disks[variantKey.variant] else { return nil }
    do {
      guard let entry = try await disk.entry(forKey: variantKey.key) else { return nil }
      guard let value = try? await coding.run({ [coder] in try coder.decode(entry.body) }) else {
        // The bytes may be from another version of the program. Their removal is enqueued with the writes, so that it cannot remove a newer
        // value that is stored meanwhile.
        update { state in
          state.watch.isUnchanged(variantKey.key, since: changes) ? remove(variantKey, &state) : []
        }
        return nil
      }
      let cost = coder.cost(value) ?? entry.body.count
      let box = CacheBox(value)
      // Race: a value that was set while it was read from disk.
      let evicted = state.withLock { $0.insertRead(box, cost: cost, variantKey, since: changes) }
      withExtendedLifetime(evicted) {}
      return box
    } catch {
      report(error)
      return nil
    }
  }

  /// Fetches the value. Each attempt waits for a slot of its own, so that no slot is occupied during the delay before a retry.
  private func fetch(_ source: FutureImage.Source, _ changes: UInt64) async throws -> CacheBox<Value> {
    var last: EntryAttempt?
    while true {
      let attempt = try await fetching.value(of: Job(key: source.key, changes: changes), lane: source.lane) { [loader, last] in
        await EntryAttempt(of: source, by: loader, after: last)
      }
      last = attempt
      switch attempt.outcome {
      case .success(let entry):
        let box = CacheBox(try await decoded(entry, source.key), mayStore: attempt.mayStore)
        keep(box, with: entry, in: VariantKey(key: source.key, variant: ""), since: changes)
        return box
      case .failure(let failure):
        guard let delay = attempt.retryDelay else { throw failure }
        try await loader.configuration.clock.sleep(for: delay)
      }
    }
  }

  private func decoded(_ entry: FutureImage.CacheEntry, _ key: String) async throws -> Value {
    do {
      return try await coding.run { [coder] in try coder.decode(entry.body) }
    } catch let failure as FutureImage.Failure {
      throw failure.of(key)
    } catch {
      throw FutureImage.Failure(.undecodable(error.words), key: key, underlying: error)
    }
  }

  private func transform(_ original: Value, to variant: Variant, for key: String) async throws -> Value {
    do {
      return try await coding.run { try variant.transform(original) }
    } catch {
      let what = "the variant “\(variant.name)” failed; check its transform (\(error.words))"
      throw FutureImage.Failure(.transformFailed(what), key: key, underlying: error)
    }
  }

  /// Stores the value, unless the key was set or removed meanwhile. If the value must not be on disk, stores it only in memory and removes
  /// the earlier value from disk.
  private func keep(_ box: CacheBox<Value>, with entry: FutureImage.CacheEntry?, in variantKey: VariantKey, since changes: UInt64) {
    let cost = coder.cost(box.value)
    update { state in
      // Race: a value that was removed while it was fetched.
      guard state.watch.isUnchanged(variantKey.key, since: changes) else { return [] }
      if box.mayStore { return store(box, with: entry, in: variantKey, cost: cost, &state) }
      return remove(variantKey, &state) + state.insert(box, cost: cost ?? entry?.body.count ?? 0, variantKey)
    }
  }

  func orFailure<Found: Sendable>(_ key: String, _ body: @Sendable () async throws -> Found) async throws -> Found {
    do {
      return try await body()
    } catch is CancellationError {
      throw FutureImage.Failure(.cancelled, key: key).about(.value)
    } catch let failure as FutureImage.Failure {
      throw failure.about(.value)
    }
  }
}
