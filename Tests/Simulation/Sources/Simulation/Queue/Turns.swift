@testable import FutureImage
@testable import FutureImageTesting

/// A test of the queue of work for the main actor. A turn is a block on the main thread that runs the waiting work.
enum Turns {
  /// Several threads add work in each round. The scheduler mixes their steps with the turns of the main thread, so some work is added while
  /// a turn ends.
  /// - Parameters:
  ///   - seed: ignored. The scheduler has the same seed, and chooses by it which thread runs.
  ///   - count: the number of steps. A round counts as four steps, because it takes longer than a step of the other tests.
  /// - Returns: the faults: work that waits although nothing else runs.
  static func mixed(seed: UInt64, each count: Int) -> [String] {
    let queue = MainQueue()
    // If the queue forgets work, later work hides the mistake, because later work starts another turn, which runs the forgotten work, too.
    // So each round is short.
    for _ in 0..<max(count / 4, 1) {
      for _ in 0..<scale.actors {
        StressThreads.thread {
          for _ in 0..<2 {
            queue.add { StressThreads.yieldTurn() }
            StressThreads.yieldTurn()
          }
        }
      }
      simulator.rest()
      let waiting = MainActor.assumeIsolated { queue.count }
      guard waiting == 0, queue.isEmpty else { return ["\(waiting) pieces of work wait for a turn that never starts"] }
    }
    return []
  }
}
