import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test that starts and cancels prefetches. It cancels no futures, and the server never fails.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: waiters that got a failure or no result, and views that still wait.
  static func prefetches(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    stress.makeReliable()
    let views = MainActor.assumeIsolated { (0..<4).map { _ in imageView(64) } }
    let server = StressThreads.task { await stress.serve(seed: seed) }
    for number in 0..<scale.actors {
      StressThreads.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 2 { stress.prefetchOrAwait(&random) }
      }
    }
    _ = StressThreads.task { await stress.look(views, seed, count / 4) }
    simulator.rest()
    server.cancel()
    simulator.rest()
    let unseen = MainActor.assumeIsolated {
      views.compactMap(\.futureImage).map { "a view waits for \(stress.name(of: $0)), which is \($0.phase)" }
    }
    return stress.waiters.wrong + (stress.waiters.missing > 0 ? ["\(stress.waiters.missing) waiters got no result"] : []) + unseen
  }

  /// Makes a future, awaits a future that another thread may prefetch, starts a prefetch, or cancels a prefetch.
  private func prefetchOrAwait(_ random: inout SeededGenerator) {
    StressThreads.yieldTurn()
    let slot = Int.random(in: 0..<min(3, scale.futures), using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      StressThreads.note("make")
      put(make(StressTest.names.randomElement(using: &random) ?? "", .modelOnly), slot)
    case 1, 2:
      let future = pick(amongFirst: 3, &random)
      StressThreads.note("prefetch \(name(of: future))")
      put(FutureImage.Prefetch([future], fitting: .full), slot)
    case 3:
      StressThreads.note("cancel a prefetch")
      put(nil as FutureImage.Prefetch?, slot)
    default:
      let future = pick(amongFirst: 3, &random)
      StressThreads.note("wait for \(name(of: future))")
      let (waiters, number, name) = (waiters, waiters.add(), name(of: future))
      future.wait(.full) { result in
        if case .failure(let failure) = result { waiters.record(number, fault: "\(name): \(failure)") } else { waiters.record(number) }
      }
    }
  }

  @MainActor private func look(_ views: [UIImageView], _ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      let future = pick(amongFirst: 3, &random)
      StressThreads.note("show \(name(of: future))")
      views.randomElement(using: &random)?.futureImage = future
      await Task.yield()
    }
  }
}
