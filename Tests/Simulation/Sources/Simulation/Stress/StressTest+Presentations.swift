import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test whose few views are bound repeatedly to futures of one image. Most of these bindings have a presentation.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults.
  static func presentations(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    let name = StressTest.names[Int(seed / 16 % UInt64(StressTest.names.count))]
    let views = MainActor.assumeIsolated { (0..<3).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    let steady = (stress.policies[name] ?? []).map { stress.make(name, $0) }
    let server = StressThreads.task {
      var number = 0
      while !Task.isCancelled {
        await stress.fixture.held.waitForHeld()
        number += 1
        if number % 6 == 0 {
          stress.fixture.held.answer(LoaderFixture.url(name), FutureImage.Response(status: 404))
        } else {
          stress.fixture.held.resolve(LoaderFixture.url(name), with: versions[number % versions.count])
        }
        await Task.yield()
      }
    }
    var faults: [String] = []
    for round in 0..<4 where faults.isEmpty {
      for number in 0..<scale.actors {
        StressThreads.thread {
          var random = SeededGenerator(seed: seed << 4 + UInt64(4 * round + number))
          for _ in 0..<count / 16 { stress.disturb(steady, &random) }
        }
      }
      _ = StressThreads.task { await stress.present(steady, in: views, seed << 4 + UInt64(round), count / 8) }
      simulator.rest()
      faults = MainActor.assumeIsolated { stress.bindings.faults(views) }
    }
    server.cancel()
    simulator.rest()
    return faults
  }

  private func disturb(_ futures: [FutureImage], _ random: inout SeededGenerator) {
    StressThreads.yieldTurn()
    guard let future = futures.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      StressThreads.note("reload")
      future.reload()
    case 2:
      StressThreads.note("empty the pool")
      loader.removeCachedPixels()
    case 3:
      StressThreads.note("cancel")
      future.cancel()
    default:
      StressThreads.note("wait")
      future.wait(.full) { _ in }
    }
  }

  @MainActor private func present(_ futures: [FutureImage], in views: [UIImageView], _ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      await Task.yield()
      guard let future = futures.randomElement(using: &random) else { return }
      let index = Int.random(in: 0..<views.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        StressThreads.note("empty view \(index)")
        bindings.display(nil, in: views[index])
      case 1:
        StressThreads.note("set the image of view \(index) to nil")
        bindings.put(nil, in: views[index])
      case 2, 3:
        StressThreads.note("bind view \(index)")
        bindings.bind(views[index], to: future)
      default:
        let look = Int.random(in: 0..<2, using: &random)
        StressThreads.note("bind view \(index) with presentation \(look)")
        bindings.bind(views[index], to: future, look: look)
      }
    }
  }
}
