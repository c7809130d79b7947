import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Everything at once, from several threads, on few keys: a hundred thousand operations, with `FUTUREIMAGE_DEEP` in the environment a
/// million.
@MainActor @Suite(.serialized, .tags(.threads), .timeLimit(.minutes(30))) struct StressTests {
  nonisolated static let operations = ProcessInfo.processInfo.environment["FUTUREIMAGE_DEEP"] == nil ? 100_000 : 1_000_000
  nonisolated static let seeds: [UInt64] = [1, 2, 3, 4]

  @Test(arguments: seeds)
  func `nobody is forgotten, told twice or shown another's picture, and nothing is left behind`(seed: UInt64) async throws {
    let fair = Fair()
    let views = (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) }
    let server = Task.detached { await fair.serve(seed: seed) }
    await crowd(fair, views, seed: seed, each: Self.operations / Self.seeds.count / 4)
    fair.calm()
    await fair.settled()

    #expect(fair.told.count > 0)
    #expect(fair.told.twice == 0)
    #expect(fair.told.wrong == [])
    // Else waiting for the tasks below would never end.
    try #require(fair.futures.flatMap { $0.state.withLock { $0.waiters } }.isEmpty)
    // Whoever still asks for something that the loader does not know of would ask for ever.
    #expect(fair.futures.count { $0.state.withLock { $0.bytesTicket != nil || !$0.pixelAsks.isEmpty } } == 0)
    for view in views { check(view, fair) }

    await fair.leave()
    #expect(fair.told.missing == 0)
    for view in views { view.image = nil }
    await fair.settled()
    // Threads let go of what they had in their own time.
    var patience = 100_000
    while !fair.futures.isEmpty || fair.shop.held.heldCount > 0 || !fair.loader.leftOver.isEmpty, patience > 0 {
      patience -= 1
      await Task.yield()
    }
    #expect(fair.futures.isEmpty)
    #expect(fair.shop.held.heldCount == 0)
    #expect(fair.loader.leftOver == [])

    let faults = await fair.newcomers()
    #expect(faults == [])
    server.cancel()
    await server.value
  }

  /// Three threads and the main actor, so many operations each.
  private func crowd(_ fair: Fair, _ views: [UIImageView], seed: UInt64, each count: Int) async {
    let threads = (1...3).map { number in
      let isDone = Signal()
      Thread.detachNewThread {
        var visitor = FairVisitor(fair, seed: seed << 8 + UInt64(number))
        for _ in 0..<count {
          visitor.act()
          // Else the server is never in time to answer.
          sched_yield()
        }
        isDone.send()
      }
      return isDone
    }
    var visitor = FairVisitor(fair, seed: seed << 8)
    for number in 0..<count {
      visitor.show(views)
      if number % 2 == 0 { await Task.yield() }
    }
    for isDone in threads { await isDone.wait() }
  }

  /// A view of which a future still has a hold waits for something, and only a failure can have kept it waiting.
  private func check(_ view: UIImageView, _ fair: Fair) {
    guard let image = view.image else { return }
    if let future = view.futureImage {
      if case .failed = future.state.withLock({ $0.stage }) {} else { Issue.record("forgotten: \(future.phase)") }
      if image !== future { #expect(Fair.isRight(image, fair.name(of: future))) }
    } else {
      #expect(Fair.names.contains { Fair.isRight(image, $0) })
    }
  }
}

extension FutureImage.Loader {
  /// What the loader still has to do, or keeps for nobody.
  var leftOver: [String] {
    state.withLock { state in
      let left = [
        ("work", state.isIdle), ("tasks", state.transferTasks.isEmpty),
        ("staged bytes", state.staged.isEmpty), ("who waits for the end", state.settling.isEmpty)
      ]
      return left.filter { !$0.1 }.map(\.0)
    }
  }
}
