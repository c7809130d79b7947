import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair at which one photo after another is set for an image, while visitors request its pixels. The server answers nothing.
extension Fair {
  /// - Returns: the faults: futures and memory tiers that do not have the last photo, and waiters without a result.
  static func sets(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair()
    let name = changedName(seed)
    let policies = fair.policies[name] ?? []
    let futures = policies.map { fair.make(name, $0) }
    let last = max(count / 16, 2)
    _ = Together.task {
      for photo in 1...last {
        Together.note("set photo \(photo)")
        try? await fair.loader.set(PhotoHistory.picture(photo), forKey: fair.source(name).key)
      }
    }
    for number in 1..<max(scale.visitors, 2) {
      Together.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 {
          Together.giveWay()
          let (told, number) = (fair.told, fair.told.add())
          futures.randomElement(using: &random)?.wait(.full) { _ in told.tell(number) }
        }
      }
    }
    simulator.rest()
    var history = PhotoHistory()
    for photo in 1...last { history.noteSet(photo, from: 2 * photo, to: 2 * photo + 1) }
    let stored = policies.compactMap { $0.memory?.image(forKey: fair.source(name).id.text)?.colour }
    let shown = Observed(stored.compactMap { history.fault(of: $0) })
    for future in futures {
      _ = Together.task { [history] in
        let image = try? await future.value
        if let fault = history.fault(of: image?.colour) { shown.update { $0.append(fault) } }
      }
    }
    simulator.rest()
    return shown.read { $0 } + (fair.told.missing > 0 ? ["\(fair.told.missing) were never told"] : [])
  }
}
