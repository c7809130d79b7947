import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test in which all threads and tasks pause from time to time, so that the remaining work and its requesters can be checked.
extension StressTest {
  /// Runs this test.
  /// - Parameter watch: records the app's objects that are released inside a lock.
  /// - Returns: the faults.
  static func pauses(seed: UInt64, each count: Int, watch: LockWatch? = nil) -> [String] {
    let stress = StressTest(watch.map { .watched(by: $0) } ?? .none)
    let views = MainActor.assumeIsolated { (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    var random = SeededGenerator(seed: seed)
    for round in 0..<4 {
      _ = StressThreads.task { await stress.crowd(views, seed: seed << 8 + UInt64(round), each: count / 4) }
      simulator.rest()
      let presented = MainActor.assumeIsolated { stress.bindings.faults(views) }
      let faults =
        stress.unrequestedWork() + stress.forgotten() + stress.unfinished() + stress.overdue()
        + (watch?.faults ?? []) + presented
      guard faults.isEmpty else { return faults }
      // These answers are delivered while the next round is running.
      stress.answerAll(&random)
    }
    return []
  }

  /// Returns the loader's work that no future requests, and the loader's counts that are wrong. No thread may run meanwhile.
  private func unrequestedWork() -> [String] {
    var faults: [String] = []
    for name in StressTest.names {
      let key = source(name).id
      let counts = loader.state.withLock { state -> (counted: Int, waiting: Int, unmeasured: Int)? in
        guard let picture = state.pictures[key] else { return nil }
        let waiting = picture.readers.map { ($0.isInFetch ? 1 : 0) + ($0.revalidates ? 1 : 0) }.reduce(0, +)
        let unmeasured = picture.unmeasured - picture.readers.count(where: \.isUnmeasured)
        return (Int(picture.fetch?.readerCount ?? 0), waiting, unmeasured)
      }
      guard let counts else { continue }
      if counts.counted != counts.waiting { faults.append("\(name) is fetched for \(counts.counted) readers, and \(counts.waiting) wait") }
      if counts.unmeasured != 0 { faults.append("\(name) counts \(counts.unmeasured) too many readers whose views were not measured") }
    }
    for request in fixture.held.heldRequests {
      let key = source(StressTest.names.first { LoaderFixture.url($0) == request.url } ?? "").id
      if loader.state.withLock({ $0.pictures[key]?.fetch == nil }) { faults.append("a request for \(request.url) without a fetch") }
    }
    return faults
  }

  /// Returns the work that has not ended although all threads are idle. Only responses of the server may be pending.
  private func unfinished() -> [String] {
    loader.state.withLock { state in
      let faults = [
        ("a lookup", state.lookups.isEmpty), ("a decode", state.decodes.isEmpty), ("work", state.work.pending == 0),
        ("a write", loader.writeCount == 0 || !state.isQuiet || !state.work.idleDetector.isIdle)
      ]
      return faults.filter { !$0.1 }.map { "\($0.0) never ends" }
    }
  }

  /// Returns a fault if waiters that were canceled have not got a result.
  private func overdue() -> [String] { waiters.overdue > 0 ? ["\(waiters.overdue) canceled waiters have no result"] : [] }

  /// Returns futures whose request no job fulfills, futures that failed although their bytes have arrived, futures that have waiters but no
  /// request, and futures whose pixels no job makes.
  func forgotten() -> [String] {
    futures.compactMap { future in
      let known = future.withReader { reader in
        let hasBytes = reader.picture?.encoded.map { !$0.isFromDisk } ?? false
        return (reader.isPending, reader.isInFetch, hasBytes, reader.failure, reader.waiters.count, reader.decodes.count)
      }
      guard let (isPending, isInFetch, hasBytes, failure, waiters, decodes) = known else { return nil }
      if isPending, !isInFetch { return "\(name(of: future)) requests bytes, and no job fetches them" }
      if let failure, !isPending, failure.failure.isOfTransfer, hasBytes {
        return "\(name(of: future)) has failed (\(failure.failure)), although its bytes have arrived"
      }
      if waiters > 0, !isPending, decodes == 0 { return "\(waiters) wait for \(name(of: future)), which requests nothing" }
      if decodes > 0 { return "\(name(of: future)) requests pixels, and no job makes them" }
      return nil
    }
  }
}

extension FutureImage.Failure {
  /// Whether the failure occurred before all bytes had arrived. After such a failure, the future must not remain failed while its bytes are
  /// in memory (see ``StressTest/forgotten()``). After a failed decode, it may remain failed, because the bytes may be in memory for
  /// another future that has not tried to decode them.
  fileprivate var isOfTransfer: Bool {
    switch reason {
    case .status, .transport: true
    default: false
    }
  }
}
