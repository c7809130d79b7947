import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair at which one photo after another is set for an image, while visitors request its pixels. The server answers nothing.
extension Fair {
  /// - Returns: the faults: futures and memory tiers that do not have the last photo, and waiters without a result.
  static func sets(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair()
    let name = changedName(seed)
    let last = max(count / 16, 2)
    var faults = fair.setPhotos(1...last, for: name, fair.futures(of: name), seed, waits: count / 4)
    // A photo that replaces a newer one is noticed only if no other is set afterward. So other images have a short life each: their
    // pixels are in the pool, and their futures get them from there while one more photo is set.
    let others = names.filter { $0 != name }.prefix(count / 16)
    for (number, name) in others.enumerated() where faults.isEmpty {
      let futures = fair.futures(of: name)
      _ = Together.task {
        await fair.set(1, for: name)
        _ = try? await futures.last?.value
      }
      simulator.rest()
      faults = fair.setPhotos(2...2, for: name, futures, seed << 4 + UInt64(number), waits: 8)
    }
    return faults + (fair.told.missing > 0 ? ["\(fair.told.missing) were never told"] : [])
  }

  private func futures(of name: String) -> [FutureImage] { (policies[name] ?? []).map { make(name, $0) } }

  /// Sets photos while visitors wait for the futures' pixels.
  /// - Returns: the faults.
  private func setPhotos(_ photos: ClosedRange<Int>, for name: String, _ futures: [FutureImage], _ seed: UInt64, waits: Int) -> [String] {
    _ = Together.task { [self] in for photo in photos { await set(photo, for: name) } }
    for number in 1..<max(scale.visitors, 2) {
      Together.thread { [told] in
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<waits {
          Together.giveWay()
          let number = told.add()
          futures.randomElement(using: &random)?.wait(.full) { _ in told.tell(number) }
        }
      }
    }
    simulator.rest()
    var history = PhotoHistory()
    for photo in 1...photos.upperBound { history.noteSet(photo, from: 2 * photo, to: 2 * photo + 1) }
    let stored = (policies[name] ?? []).compactMap { $0.memory?.image(forKey: source(name).id.text)?.colour }
    let shown = Observed(stored.compactMap { history.fault(of: $0) })
    for future in futures {
      _ = Together.task { [history] in
        let image = try? await future.value
        if let fault = history.fault(of: image?.colour) { shown.update { $0.append(fault) } }
      }
    }
    simulator.rest()
    return shown.read { $0 }
  }
}
