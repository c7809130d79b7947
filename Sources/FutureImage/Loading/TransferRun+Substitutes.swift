/// Smaller images in place of those that are not loaded on networks to avoid.
///
/// Futures of one key share a transfer, but each names its own smaller image, or none. So when the network turns out to be one to avoid,
/// the shared transfer ends, and each of its futures gets an answer of its own: its smaller image, or the failure.
extension TransferRun {
  private typealias Outcome = Result<Encoded, FutureImage.Failure>

  /// Fetches the smaller images that the waiting futures of the run name, each once.
  /// - Parameter failure: the answer to futures that name none.
  func substituteOrFail(_ past: Transfer.Past, _ failure: FutureImage.Failure) async {
    // The run may be on a fetcher's thread, and this calls tiers and closures of the app's.
    let work = Scheduling.task("a smaller picture", priority: Task.currentPriority) { await self.substitute(past, failure) }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      Scheduling.uninterrupted { work.cancel() }
    }
  }

  private func substitute(_ past: Transfer.Past, _ failure: FutureImage.Failure) async {
    guard nextSubstitute(besides: [:]) != nil else { return await retryOrFail(past, failure) }
    // These futures do not wait for the smaller images of others.
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

  /// The next smaller image that a future waits for and that was not requested yet, with that future's disk tier.
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

  /// Fetches a smaller image, which is allowed on any network.
  private func fetch(_ smaller: FutureImage.Source, _ tier: (any FutureImage.DiskTier)?) async -> Outcome {
    let watch = Stopwatch(loader.configuration.clock)
    do throws(FutureImage.Failure) {
      var encoded: Encoded
      if let tier, case .picture(let found, let standing) = await callOut({ await loader.read(smaller, tier) }),
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

  /// Answers the run's futures that name this smaller image, or that name none if it is nil. The others continue to wait.
  private func answer(_ smaller: SourceKey?, _ answer: Answer) {
    let meant = waiting.filter { $0.future.descriptor?.source.smaller?.id == smaller }
    if meant.isEmpty { return }
    loader.change { state -> [LiveRequest] in
      guard state.transfers.isRunning(key, run: number) else { return [] }
      // The run continues to its end, even if no waiter is left.
      for live in meant { state.effects.note(state.transfers.drop(key, waiter: live.request)) }
      return meant
    } telling: { answered in
      for live in answered { live.future.take(answer, for: live.request) }
    }
  }

  /// Records the failure of a smaller image. It says nothing about the source itself on another network, so no refusal is remembered.
  private func noteFailure(_ failure: FutureImage.Failure) {
    state.withLock { state in
      guard state.transfers.isRunning(key, run: number), !failure.isCancelled else { return }
      state.statistics.failures += 1
      state.pictures.change(key) { $0.hasFailed = true }
    }
    loader.tell(failure.isCancelled ? .cancelled : .failed(failure), key)
  }

  /// Ends the run, and answers each future that still waits with the outcome of its smaller image.
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
