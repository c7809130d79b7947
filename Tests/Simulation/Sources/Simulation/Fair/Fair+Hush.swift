import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair at which all visitors pause from time to time, so that the remaining work and its requesters can be checked.
extension Fair {
  /// - Parameter watch: receives the ends of all objects that the visitors own.
  /// - Returns: the faults.
  static func hush(seed: UInt64, each count: Int, watch: LockWatch? = nil) -> [String] {
    let fair = Fair(watch.map { .watched(by: $0) } ?? .none)
    let views = MainActor.assumeIsolated { (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    var random = SeededGenerator(seed: seed)
    for round in 0..<4 {
      _ = Together.task { await fair.crowd(views, seed: seed << 8 + UInt64(round), each: count / 4) }
      simulator.rest()
      let presented = MainActor.assumeIsolated { fair.bindings.faults(views) }
      let faults = fair.doneForNobody() + fair.forgotten() + fair.unfinished() + fair.overdue() + (watch?.faults ?? []) + presented
      guard faults.isEmpty else { return faults }
      // These answers are delivered while the next round is running.
      fair.answerAll(&random)
    }
    return []
  }

  /// Returns the work of the loader that no future requests. No thread may run meanwhile.
  private func doneForNobody() -> [String] {
    var faults: [String] = []
    for name in Fair.names {
      let key = source(name).id
      let requests = loader.state.withLock { $0.transfers.waiters(of: key) }
      let stale = requests.filter { request in
        request.future?.state.withLock { $0.wish.request == request || $0.revalidation == request } != true
      }
      if !stale.isEmpty { faults.append("\(name) is fetched for \(stale.count) who gave up") }
    }
    for request in shop.held.heldRequests {
      let key = source(Fair.names.first { Shop.url($0) == request.url } ?? "").id
      if !loader.state.withLock({ $0.transfers.contains(key) }) { faults.append("a request for \(request.url) that nobody wants") }
    }
    return faults
  }

  /// Returns the work that is in progress although all threads are idle: only responses of the server may be pending.
  private func unfinished() -> [String] {
    loader.state.withLock { state in
      let faults = [
        ("a lookup", state.lookups.isEmpty), ("a decode", state.decodes.isEmpty), ("work", state.pendingWork == 0),
        ("a write", loader.writeCount == 0 || !state.isQuiet || !state.lull.lasts)
      ]
      return faults.filter { !$0.1 }.map { "\($0.0) never ends" }
    }
  }

  /// Returns a fault if waiters that were canceled have not got a result.
  private func overdue() -> [String] { told.overdue > 0 ? ["\(told.overdue) gave up and still wait"] : [] }

  /// Returns futures with a request that the loader does not know, futures that failed although their bytes are known, futures whose
  /// waiters wait for no request, futures whose pixels no job makes, and futures that lack the newest image.
  func forgotten() -> [String] {
    futures.compactMap { future in
      let (wish, waiters, asks, revision, hasPicture) = future.state.withLock {
        ($0.wish, $0.waiters.count, $0.pixelRequests.count, $0.revision, $0.natural != nil && !$0.isSubstitute)
      }
      guard let key = future.descriptor?.key else { return nil }
      if let request = wish.request, !loader.state.withLock({ $0.transfers.waiters(of: key).contains(request) }) {
        return "\(name(of: future)) asks, and the loader does not know of it"
      }
      if case .failed(let refusal) = future.state.withLock({ $0.stage }), wish == .none, refusal.failure.isOfTransfer,
        loader.knownBytes(of: key, besides: future, for: LoadRequest(.betterBytes, of: future)) != nil
      {
        return "\(name(of: future)) has failed (\(refusal.failure)), and its bytes are there"
      }
      if waiters > 0, wish == .none, asks == 0 { return "\(waiters) wait for \(name(of: future)), which asks for nothing" }
      if asks > 0 { return "\(name(of: future)) asks for pixels, and nobody makes them" }
      let newest = loader.state.withLock { $0.pictures.generation(of: key) }
      if hasPicture, revision != newest { return "\(name(of: future)) has picture \(revision), and picture \(newest) has come" }
      return nil
    }
  }
}

extension FutureImage.Failure {
  /// Whether no bytes arrived. Bytes that could not be decoded may be retained by other futures that have not tried yet.
  fileprivate var isOfTransfer: Bool {
    switch reason {
    case .status, .transport: true
    default: false
    }
  }
}
