import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair at which everybody stands still from time to time, so that one can look what is done for whom.
extension Fair {
  /// - Returns: what was wrong.
  static func hush(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair()
    let views = MainActor.assumeIsolated { (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    var random = SeededGenerator(seed: seed)
    var faults: [String] = []
    for round in 0..<4 {
      _ = Together.task { await fair.crowd(views, seed: seed << 8 + UInt64(round), each: count / 4) }
      simulator.rest()
      faults = fair.doneForNobody() + fair.forgotten()
      guard faults.isEmpty else { return faults }
      fair.answerAll(&random)
      simulator.rest()
    }
    return faults
  }

  /// What the loader does although nobody wants it. All must stand still.
  private func doneForNobody() -> [String] {
    let living = Dictionary(uniqueKeysWithValues: futures.map { (ObjectIdentifier($0), $0) })
    var faults: [String] = []
    for name in Fair.names {
      let key = FutureImage.Source.url(Shop.url(name)).id
      let asks = loader.state.withLock { $0.transfers.waiters(of: key) }
      let stale = asks.filter { living[$0.future]?.isAsking($0.ticket) != true }
      if !stale.isEmpty { faults.append("\(name) is fetched for \(stale.count) who gave up") }
    }
    for request in shop.held.heldRequests {
      let key = FutureImage.Source.url(request.url).id
      if !loader.state.withLock({ $0.transfers.contains(key) }) { faults.append("a request for \(request.url) that nobody wants") }
    }
    return faults
  }

  /// Who asks for bytes, and the loader does not know of it.
  private func forgotten() -> [String] {
    futures.compactMap { future in
      let (ticket, isPutOff) = future.state.withLock { ($0.bytesTicket, $0.isPutOff) }
      guard let ticket, !isPutOff, let key = future.descriptor?.key else { return nil }
      let isKnown = loader.state.withLock { $0.transfers.waiters(of: key).contains(Ask(future, ticket)) }
      return isKnown ? nil : "\(name(of: future)) asks, and the loader does not know of it"
    }
  }
}
