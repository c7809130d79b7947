import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair whose few views are bound repeatedly to futures of one image, most of them with presentations.
extension Fair {
  /// - Returns: the faults.
  static func presentations(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair()
    let name = Fair.names[Int(seed / 16 % UInt64(Fair.names.count))]
    let views = MainActor.assumeIsolated { (0..<3).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    let steady = (fair.policies[name] ?? []).map { fair.make(name, $0) }
    let server = Together.task {
      var number = 0
      while !Task.isCancelled {
        await fair.shop.held.waitForHeld()
        number += 1
        if number % 6 == 0 {
          fair.shop.held.answer(Shop.url(name), FutureImage.Response(status: 404))
        } else {
          fair.shop.held.resolve(Shop.url(name), with: versions[number % versions.count])
        }
        await Task.yield()
      }
    }
    var faults: [String] = []
    for round in 0..<4 where faults.isEmpty {
      for number in 0..<scale.visitors {
        Together.thread {
          var random = SeededGenerator(seed: seed << 4 + UInt64(2 * round + number))
          for _ in 0..<count / 16 { fair.disturb(steady, &random) }
        }
      }
      _ = Together.task { await fair.present(steady, in: views, seed << 4 + UInt64(round), count / 8) }
      simulator.rest()
      faults = MainActor.assumeIsolated { fair.bindings.faults(views) }
    }
    server.cancel()
    simulator.rest()
    return faults
  }

  private func disturb(_ futures: [FutureImage], _ random: inout SeededGenerator) {
    Together.giveWay()
    guard let future = futures.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      Together.note("reload")
      future.reload()
    case 2:
      Together.note("empty the pool")
      loader.emptyPixelPool()
    case 3:
      Together.note("cancel")
      future.cancel()
    default:
      Together.note("wait")
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
        Together.note("empty view \(index)")
        bindings.display(nil, in: views[index])
      case 1:
        Together.note("put nothing into view \(index)")
        bindings.put(nil, in: views[index])
      case 2, 3:
        Together.note("bind view \(index)")
        bindings.bind(views[index], to: future)
      default:
        let look = Int.random(in: 0..<2, using: &random)
        Together.note("bind view \(index) with presentation \(look)")
        bindings.bind(views[index], to: future, look: look)
      }
    }
  }
}
