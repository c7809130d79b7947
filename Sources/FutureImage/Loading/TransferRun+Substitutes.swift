/// Smaller pictures in the place of those that the network is to be spared.
///
/// Futures of one key share a transfer, but each names its own smaller picture, or none. So when the network turns out to be one to avoid, the
/// shared transfer is over, and each of its futures is answered for itself: by its smaller picture, or by the failure.
extension TransferRun {
  private typealias Outcome = Result<Encoded, FutureImage.Failure>

  /// Fetches the smaller pictures that those who wait for the run name, each once.
  /// - Parameter failure: the answer to futures that name none.
  func substituteOrFail(_ past: Transfer.Past, _ failure: FutureImage.Failure) async {
    // The run may be on a fetcher's thread, and tiers and closures of the app's are called from here.
    let work = Scheduling.task("a smaller picture", priority: Task.currentPriority) { await self.substitute(past, failure) }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      Scheduling.uninterrupted { work.cancel() }
    }
  }

  private func substitute(_ past: Transfer.Past, _ failure: FutureImage.Failure) async {
    guard nextSubstitute(besides: [:]) != nil else { return await retryOrFail(past, failure) }
    // Not to wait for the smaller pictures of others.
    let refusal = loader.refusal(failure)
    answer(nil, .failure(refusal))
    var outcomes: [SourceKey: Outcome] = [:]
    while let (smaller, tier) = nextSubstitute(besides: outcomes) {
      let outcome = await fetch(smaller, tier)
      outcomes[smaller.id] = outcome
      if case .success(let encoded) = outcome { answer(smaller.id, .substitute(encoded)) }
    }
    let failures = outcomes.values.compactMap(\.failure)
    guard let worst = failures.first(where: \.isTransient) ?? failures.first else { return end(outcomes, failure) }
    await retry(past, worst) { worst in
      noteFailure(worst)
      end(outcomes, failure)
    }
  }

  /// A smaller picture that somebody waits for and that was not asked for yet, with that future's disk tier.
  private func nextSubstitute(besides outcomes: [SourceKey: Outcome]) -> (FutureImage.Source, (any FutureImage.DiskTier)?)? {
    for live in waiting {
      guard let descriptor = live.future.descriptor, let smaller = descriptor.source.smaller else { continue }
      if outcomes[smaller.id] == nil { return (smaller, descriptor.disk) }
    }
    return nil
  }

  private var waiting: [LiveRequest] {
    state.withLock { $0.transfers.isRunning(key, run: number) ? $0.transfers.waiters(of: key) : [] }.living
  }

  /// Whatever the network, the smaller picture may come.
  private func fetch(_ smaller: FutureImage.Source, _ tier: (any FutureImage.DiskTier)?) async -> Outcome {
    let watch = Stopwatch(loader.configuration.clock)
    do throws(FutureImage.Failure) {
      var encoded: Encoded
      if let tier, case .picture(let found, let standing) = await callOut({ await loader.read(smaller.id, tier) }),
        standing != .unconfirmed
      {
        encoded = found
      } else {
        var own = Transfer.Past()
        guard case .fetched(let entry, let mayStore) = try await transfer(of: smaller, avoiding: []).run(&own) else {
          throw FutureImage.Failure(.malformed("it confirms a picture that is not known"))
        }
        loader.tell(.fetched(bytes: entry.body.count, in: watch.elapsed), key)
        encoded = try self.encoded(entry)
        do {
          try await callOut {
            if mayStore { try await tier?.store(entry, forKey: smaller.key) } else { try await tier?.remove(forKey: smaller.key) }
          }
        } catch {
          loader.report(cacheFault: error, key)
        }
      }
      encoded.isFromDisk = false
      encoded.isStored = false
      encoded.isSubstitute = true
      return .success(encoded)
    } catch {
      return .failure(error)
    }
  }

  /// Answers those of the run's futures that name this smaller picture, or none; others wait on.
  private func answer(_ smaller: SourceKey?, _ answer: Answer) {
    let meant = waiting.filter { $0.future.descriptor?.source.smaller?.id == smaller }
    if meant.isEmpty { return }
    loader.change { state -> [LiveRequest] in
      guard state.transfers.isRunning(key, run: number) else { return [] }
      // The run goes on to its end, whether anybody is left or not.
      for live in meant { state.effects.note(state.transfers.drop(key, waiter: live.request)) }
      return meant
    } telling: { answered in
      for live in answered { live.future.take(answer, for: live.request) }
    }
  }

  /// That a smaller picture failed says nothing of the source itself on another network: no refusal is remembered.
  private func noteFailure(_ failure: FutureImage.Failure) {
    state.withLock { state in
      guard state.transfers.isRunning(key, run: number), !failure.isCancelled else { return }
      state.statistics.failures += 1
      state.pictures.change(key) { $0.hasFailed = true }
    }
    loader.tell(failure.isCancelled ? .cancelled : .failed(failure), key)
  }

  /// Ends the run, and answers those who still wait: by what came of their smaller picture.
  /// - Parameter failure: the answer to futures that name none.
  private func end(_ outcomes: [SourceKey: Outcome], _ failure: FutureImage.Failure) {
    end { future in
      switch future.descriptor?.source.smaller.flatMap({ outcomes[$0.id] }) {
      case .success(let encoded): .substitute(encoded)
      case .failure(let own): .failure(loader.refusal(own))
      case nil: .failure(loader.refusal(failure))
      }
    }
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
