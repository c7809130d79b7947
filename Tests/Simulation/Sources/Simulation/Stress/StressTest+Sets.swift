import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test in which one photo after another is set for an image, while threads request the pixels. The server never answers.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: futures and memory tiers that do not have the last photo, and waiters without a result.
  static func sets(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    let name = changedName(seed)
    let last = max(count / 16, 2)
    var faults = stress.setPhotos(1...last, for: name, stress.futures(of: name), seed, waits: count / 4)
    // The test notices a photo that replaces a newer photo only if no other photo is set afterward. So some other images get only two
    // photos each. The pixels of the first photo are in the pool, and futures get them from there while the second photo is set.
    let others = names.filter { $0 != name }.prefix(count / 16)
    for (number, name) in others.enumerated() where faults.isEmpty {
      let futures = stress.futures(of: name)
      _ = StressThreads.task {
        await stress.set(1, for: name)
        _ = try? await futures.last?.value
      }
      simulator.rest()
      faults = stress.setPhotos(2...2, for: name, futures, seed << 4 + UInt64(number), waits: 8)
    }
    return faults + (stress.waiters.missing > 0 ? ["\(stress.waiters.missing) waiters got no result"] : [])
  }

  private func futures(of name: String) -> [FutureImage] { (policies[name] ?? []).map { make(name, $0) } }

  /// Sets photos while threads request the pixels of the futures.
  /// - Returns: the faults.
  private func setPhotos(_ photos: ClosedRange<Int>, for name: String, _ futures: [FutureImage], _ seed: UInt64, waits: Int) -> [String] {
    _ = StressThreads.task { [self] in for photo in photos { await set(photo, for: name) } }
    for number in 1..<max(scale.actors, 2) {
      StressThreads.thread { [waiters] in
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<waits {
          StressThreads.yieldTurn()
          let number = waiters.add()
          futures.randomElement(using: &random)?.wait(.full) { _ in waiters.record(number) }
        }
      }
    }
    simulator.rest()
    var history = PhotoHistory()
    for photo in 1...photos.upperBound { history.noteSet(photo, from: 2 * photo, to: 2 * photo + 1) }
    let stored = (policies[name] ?? []).compactMap { $0.memory?.image(forKey: source(name).id.text)?.color }
    let shown = Observed(stored.compactMap { history.fault(of: $0) })
    for future in futures {
      _ = StressThreads.task { [history] in
        let image = try? await future.value
        if let fault = history.fault(of: image?.color) { shown.update { $0.append(fault) } }
      }
    }
    simulator.rest()
    return shown.read { $0 }
  }
}
