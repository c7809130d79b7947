import Foundation
import FutureImageTesting

@testable import FutureImage

extension Fair {
  /// Three threads and the main actor do so many things each, all at once; then everybody goes home.
  /// - Returns: what was wrong.
  @MainActor static func day(seed: UInt64, each count: Int) async -> [String] {
    let fair = Fair()
    let views = (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) }
    let server = Together.task { await fair.serve(seed: seed) }
    await fair.crowd(views, seed: seed, each: count)
    fair.calm()
    await fair.settled()
    var faults = fair.faultsAtRest(views)
    // Else waiting for the tasks below would never end.
    guard faults.isEmpty else { return faults }

    await fair.leave()
    if fair.told.missing > 0 { faults.append("\(fair.told.missing) were never told") }
    for view in views { view.image = nil }
    await fair.settled()
    faults += await fair.whatIsLeft()

    faults += await fair.newcomers()
    server.cancel()
    await server.value
    return faults
  }

  /// Some threads and the main actor do so many things each.
  @MainActor func crowd(_ views: [UIImageView], seed: UInt64, each count: Int) async {
    let threads = (0..<Together.visitors).map { number in
      let isDone = Signal()
      Together.thread {
        var visitor = FairVisitor(self, seed: seed << 8 + UInt64(number) + 1)
        for _ in 0..<count {
          visitor.act()
          // Else the server is never in time to answer.
          Together.giveWay()
        }
        isDone.send()
      }
      return isDone
    }
    var visitor = FairVisitor(self, seed: seed << 8)
    for number in 0..<count {
      visitor.show(views)
      if number % 2 == 0 { await Task.yield() }
    }
    for isDone in threads { await isDone.wait() }
  }

  /// What is wrong when all was answered.
  @MainActor func faultsAtRest(_ views: [UIImageView]) -> [String] {
    var faults = told.wrong
    if told.count == 0 { faults.append("nobody asked for anything") }
    if told.twice > 0 { faults.append("\(told.twice) were told twice") }
    for future in futures {
      let (waiters, isAsking) = future.state.withLock { ($0.waiters.count, $0.wish.isPending || !$0.pixelRequests.isEmpty) }
      if waiters > 0 { faults.append("\(waiters) wait for \(name(of: future))") }
      // What the loader does not know of would be asked for forever.
      if isAsking { faults.append("\(name(of: future)) still asks") }
    }
    return faults + views.compactMap { fault(of: $0) } + bindings.faults(views)
  }

  /// A view of which a future still has a hold waits for something, and only a failure can have kept it waiting.
  @MainActor private func fault(of view: UIImageView) -> String? {
    guard let image = view.image else { return nil }
    guard let future = view.futureImage else {
      return Fair.names.contains { Fair.isRight(image, $0) } ? nil : "a view shows no picture of any key"
    }
    guard case .failed = future.state.withLock({ $0.stage }) else { return "forgotten: \(future.phase)" }
    guard image !== future, !Fair.isRight(image, name(of: future)) else { return nil }
    return "a view shows another picture than that of \(name(of: future))"
  }

  /// What is left when everybody has gone.
  func whatIsLeft() async -> [String] {
    // Threads let go of what they had in their own time.
    var patience = 100_000
    while !futures.isEmpty || shop.held.heldCount > 0 || !loader.leftOver.isEmpty, patience > 0 {
      patience -= 1
      await Task.yield()
    }
    let living = futures.map { "the future of \(name(of: $0)) lives" }
    let requests = shop.held.heldCount
    return loader.leftOver + living + (requests > 0 ? ["\(requests) requests that nobody wants"] : [])
  }
}

extension FutureImage.Loader {
  /// What the loader still has to do, or keeps for nobody.
  var leftOver: [String] {
    state.withLock { state in
      let left = [
        ("work", state.isIdle), ("futures", state.pictures.count == 0), ("tasks", state.transferTasks.isEmpty),
        ("slots", state.transfers.runsWithSlots.isEmpty && state.lookups.runsWithSlots.isEmpty && state.decodes.runsWithSlots.isEmpty),
        ("staged bytes", state.pictures.known.values.allSatisfy { $0.staged == nil }), ("who waits for the end", state.settling.isEmpty),
        ("wishes for interims", state.pictures.known.values.allSatisfy { !$0.hasInterims }), ("renditions", state.makingTasks.isEmpty)
      ]
      return left.filter { !$0.1 }.map(\.0)
    }
  }
}
