import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair whose few views grow, and are bound by turns to several futures of one image. The app releases futures that no view shows.
extension Fair {
  /// - Returns: the faults: views that do not show the last photo that was set.
  static func recycling(seed: UInt64, each count: Int) -> [String] {
    let (fair, name) = (Fair(), changedName(seed))
    fair.calm()
    let server = Together.task { await fair.serve(seed: seed) }
    let list = MainActor.assumeIsolated { RecyclingList(fair, name) }
    var faults: [String] = []
    for photo in 1...4 where faults.isEmpty {
      _ = Together.task { await list.turn(seed << 4 + UInt64(photo), count / 2) }
      simulator.rest()
      _ = Together.task { await fair.set(photo, for: name) }
      simulator.rest()
      faults = MainActor.assumeIsolated { list.faultsAtRest(photo) }
    }
    server.cancel()
    simulator.rest()
    return faults
  }
}

@MainActor private final class RecyclingList {
  private let fair: Fair
  private let name: String
  private let views = (0..<2).map { _ in imageView(16) }
  private var futures: [FutureImage]
  /// The future to which each view was bound last.
  private var shown: [FutureImage?]

  init(_ fair: Fair, _ name: String) {
    (self.fair, self.name) = (fair, name)
    futures = [fair.make(name, .modelOnly)]
    shown = views.map { _ in nil }
  }

  func turn(_ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      act(&random)
      if Bool.random(using: &random) { await fair.loader.settled() } else { await Task.yield() }
    }
  }

  private func act(_ random: inout SeededGenerator) {
    let index = Int.random(in: 0..<views.count, using: &random)
    let future = futures.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      Together.note("empty the pool")
      fair.loader.emptyPixelPool()
    case 1, 2:
      Together.note("make")
      futures.append(fair.make(name, .modelOnly))
    case 3, 4:
      Together.note("release what no view shows")
      futures = futures.filter { future in shown.contains { $0 === future } }
      if futures.isEmpty { futures = [fair.make(name, .modelOnly)] }
    case 5...7:
      let width = [16, 32, 64].randomElement(using: &random) ?? 16
      Together.note("resize view \(index) to \(width), and measure")
      views[index].bounds.size = CGSize(width: width, height: width * 3 / 4)
      future?.measureViews()
    default:
      Together.note("bind view \(index)")
      shown[index] = future
      views[index].futureImage = future
    }
  }

  func faultsAtRest(_ photo: Int) -> [String] {
    zip(views, shown).compactMap { view, future in
      guard future != nil else { return nil }
      let there = view.image?.colour.flatMap { PhotoHistory.photo(of: $0, among: 1...photo) }
      return there == photo ? nil : "a view shows photo \(there ?? 0), and photo \(photo) was set last"
    }
  }
}
