import Foundation
import FutureImageTesting

@testable import FutureImage

extension StressTest {
  /// Runs three threads and the main actor at once, with the given number of actions each, and then releases everything.
  /// - Returns: the faults.
  @MainActor static func mixed(seed: UInt64, each count: Int) async -> [String] {
    let stress = StressTest()
    let views = (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) }
    let server = StressThreads.task { await stress.serve(seed: seed) }
    await stress.crowd(views, seed: seed, each: count)
    stress.makeReliable()
    await stress.waitUntilIdle()
    var faults = stress.faultsAtRest(views)
    // Otherwise the wait for the tasks below would never end.
    guard faults.isEmpty else { return faults }

    await stress.leave()
    if stress.told.missing > 0 { faults.append("\(stress.told.missing) were never told") }
    for view in views { view.image = nil }
    await stress.waitUntilIdle()
    faults += await stress.whatIsLeft()

    faults += await stress.newcomers()
    server.cancel()
    await server.value
    return faults
  }

  /// Runs the threads and the main actor, with the given number of actions each.
  @MainActor func crowd(_ views: [UIImageView], seed: UInt64, each count: Int) async {
    let threads = (0..<StressThreads.actors).map { number in
      let isDone = Signal()
      StressThreads.thread {
        var actor = StressActor(self, seed: seed << 8 + UInt64(number) + 1)
        for _ in 0..<count {
          actor.act()
          // Otherwise the server would never answer in time.
          StressThreads.yieldTurn()
        }
        isDone.send()
      }
      return isDone
    }
    var actor = StressActor(self, seed: seed << 8)
    for number in 0..<count {
      actor.show(views)
      if number % 2 == 0 { await Task.yield() }
    }
    for isDone in threads { await isDone.wait() }
  }

  /// The faults after all requests have been answered.
  @MainActor func faultsAtRest(_ views: [UIImageView]) -> [String] {
    var faults = told.wrong
    if told.count == 0 { faults.append("nobody asked for anything") }
    if told.twice > 0 { faults.append("\(told.twice) were told twice") }
    for future in futures {
      let (waiters, isAsking) = (future.waiterCount, future.requestsBytes || future.requestsPixels)
      if waiters > 0 { faults.append("\(waiters) wait for \(name(of: future))") }
      // A request that the loader does not know would never end.
      if isAsking { faults.append("\(name(of: future)) still asks") }
    }
    return faults + views.compactMap { fault(of: $0) } + bindings.faults(views)
  }

  /// Returns the fault of a view. A view that is still bound waits for its future, and only a failure can be the reason.
  @MainActor private func fault(of view: UIImageView) -> String? {
    guard let image = view.image else { return nil }
    guard let future = view.futureImage else {
      return StressTest.names.contains { StressTest.isRight(image, $0) } ? nil : "a view shows no image of any key"
    }
    guard case .failed = future.stage else { return "forgotten: \(future.phase)" }
    // A view with a presentation has a carrier of the placeholder.
    let showsPlaceholder = (image as? FutureImage)?.borrowed === future.borrowed
    guard !showsPlaceholder, !StressTest.isRight(image, name(of: future)) else { return nil }
    return "a view shows another image than that of \(name(of: future))"
  }

  /// The objects and requests that remain after everything was released.
  func whatIsLeft() async -> [String] {
    // Threads may retain their objects a moment longer.
    var patience = 100_000
    while !futures.isEmpty || fixture.held.heldCount > 0 || !loader.leftOver.isEmpty, patience > 0 {
      patience -= 1
      await Task.yield()
    }
    let living = futures.map { "the future of \(name(of: $0)) lives" }
    let requests = fixture.held.heldCount
    return loader.leftOver + living + (requests > 0 ? ["\(requests) requests that nobody wants"] : [])
  }
}

extension FutureImage.Loader {
  /// The work that the loader still has, and the state that it retains without need.
  var leftOver: [String] {
    state.withLock { state in
      let left = [
        ("work", state.isIdle), ("futures", state.pictures.readerCount == 0),
        ("slots", state.fetches.runCount == 0 && state.lookups.runCount == 0 && state.decodes.runCount == 0),
        ("staged bytes", state.pictures.stagedCount == 0), ("who waits for the end", state.work.settling.isEmpty),
        ("wishes for previews", state.pictures.previewCount == 0)
      ]
      return left.filter { !$0.1 }.map(\.0)
    }
  }
}
