import Foundation
import FutureImageTesting

@testable import FutureImage

extension StressTest {
  /// Runs several threads and the main actor concurrently, each with the given number of actions, and then releases everything.
  /// - Returns: the faults.
  @MainActor static func mixed(seed: UInt64, each count: Int) async -> [String] {
    let stress = StressTest()
    let views = (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) }
    let server = StressThreads.task { await stress.serve(seed: seed) }
    await stress.crowd(views, seed: seed, each: count)
    stress.makeReliable()
    await stress.waitUntilIdle()
    var faults = stress.faultsAtRest(views)
    // If there is a fault, the wait for the tasks below may never end.
    guard faults.isEmpty else { return faults }

    await stress.leave()
    if stress.waiters.missing > 0 { faults.append("\(stress.waiters.missing) waiters got no result") }
    for view in views { view.image = nil }
    await stress.waitUntilIdle()
    faults += await stress.whatIsLeft()

    faults += await stress.newcomers()
    server.cancel()
    await server.value
    return faults
  }

  /// Runs the threads and the main actor concurrently, each with the given number of actions.
  @MainActor func crowd(_ views: [UIImageView], seed: UInt64, each count: Int) async {
    let threads = (0..<StressThreads.actors).map { number in
      let isDone = Signal()
      StressThreads.thread {
        var actor = StressActor(self, seed: seed << 8 + UInt64(number) + 1)
        for _ in 0..<count {
          actor.act()
          // Without these turns, the server would not answer in time.
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

  /// Returns the faults that exist after all requests have been answered.
  @MainActor func faultsAtRest(_ views: [UIImageView]) -> [String] {
    var faults = waiters.wrong
    if waiters.count == 0 { faults.append("no waiter was added") }
    if waiters.twice > 0 { faults.append("\(waiters.twice) results were delivered to waiters that already had one") }
    for future in futures {
      let (waiters, isAsking) = (future.waiterCount, future.requestsBytes || future.requestsPixels)
      if waiters > 0 { faults.append("\(waiters) waiters still wait for \(name(of: future))") }
      // The loader has no work left. So a request that remains was lost, and would never end.
      if isAsking { faults.append("\(name(of: future)) still has requests") }
    }
    return faults + views.compactMap { fault(of: $0) } + bindings.faults(views)
  }

  /// Returns the fault of a view. A view may still be bound only if its future has failed.
  @MainActor private func fault(of view: UIImageView) -> String? {
    guard let image = view.image else { return nil }
    guard let future = view.futureImage else {
      return StressTest.names.contains { StressTest.isRight(image, $0) } ? nil : "a view shows an image that belongs to no key"
    }
    guard case .failed = future.stage else { return "a view is still bound to a future whose phase is \(future.phase)" }
    // If a view has a presentation, its image is a carrier: a private future of the library, which shows the placeholder of the view's
    // future.
    let showsPlaceholder = (image as? FutureImage)?.borrowed === future.borrowed
    guard !showsPlaceholder, !StressTest.isRight(image, name(of: future)) else { return nil }
    return "a view shows an image that is not the image of \(name(of: future))"
  }

  /// Returns descriptions of the objects and requests that remain after everything was released.
  func whatIsLeft() async -> [String] {
    // Threads may retain their objects for a moment.
    var attempts = 100_000
    while !futures.isEmpty || fixture.held.heldCount > 0 || !loader.leftOver.isEmpty, attempts > 0 {
      attempts -= 1
      await Task.yield()
    }
    let living = futures.map { "the future of \(name(of: $0)) was not released" }
    let requests = fixture.held.heldCount
    return loader.leftOver + living + (requests > 0 ? ["\(requests) requests remain without a future"] : [])
  }
}

extension FutureImage.Loader {
  /// The names of the work that has not ended, and of the state that the loader retains without need.
  var leftOver: [String] {
    state.withLock { state in
      let left = [
        ("work", state.isIdle), ("futures", state.pictures.readerCount == 0),
        ("slots", state.fetches.runCount == 0 && state.lookups.runCount == 0 && state.decodes.runCount == 0),
        ("staged bytes", state.pictures.stagedCount == 0), ("tasks that wait for an idle loader", state.work.settling.isEmpty),
        ("pictures with previews", state.pictures.previewCount == 0)
      ]
      return left.filter { !$0.1 }.map(\.0)
    }
  }
}
