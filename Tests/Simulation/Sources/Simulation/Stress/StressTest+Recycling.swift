import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test whose cells are recycled while they grow. Each cell shows several futures of one image, and the app releases the earlier
/// futures at any time.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults. It is a fault if a cell, after all of its acts, does not show the photo that the test has set then.
  static func recycling(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    stress.makeReliable()
    let server = StressThreads.task { await stress.serve(seed: seed) }
    var faults: [String] = []
    // Once a photo is set, the pool has its pixels at full size, and a view that grows never lacks pixels again. So the test uses each
    // image only once, for a short time.
    for (number, name) in names.enumerated() where faults.isEmpty {
      let cell = MainActor.assumeIsolated { RecycledCell(stress, name) }
      _ = StressThreads.task { await cell.run(seed << 4 + UInt64(number), acts: count / 8) }
      simulator.rest()
      _ = StressThreads.task { await stress.set(1, for: name) }
      simulator.rest()
      if let fault = MainActor.assumeIsolated({ cell.faultAtRest }) { faults.append(fault) }
    }
    server.cancel()
    simulator.rest()
    return faults
  }
}

@MainActor private final class RecycledCell {
  private let stress: StressTest
  private let name: String
  private let view = imageView(16)
  /// The future to which the view was bound last.
  private var shown: FutureImage?
  /// The futures to which the view was bound before.
  private var former: [FutureImage] = []

  init(_ stress: StressTest, _ name: String) {
    (self.stress, self.name) = (stress, name)
  }

  func run(_ seed: UInt64, acts: Int) async {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<acts {
      act(&random)
      if Bool.random(using: &random) { await stress.loader.waitUntilIdle() } else { await Task.yield() }
    }
  }

  private func act(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      StressThreads.note("empty the pool")
      stress.loader.removeCachedPixels()
    case 1, 2:
      StressThreads.note("grow")
      view.bounds.size = [CGSize(width: 32, height: 24), CGSize(width: 64, height: 48)].randomElement(using: &random) ?? .zero
    case 3, 4:
      StressThreads.note("measure for a former future")
      former.randomElement(using: &random)?.measureViews()
    case 5:
      StressThreads.note("measure")
      shown?.measureViews()
    case 6:
      StressThreads.note("release the former futures")
      former = []
    default:
      StressThreads.note("bind")
      if let shown { former.append(shown) }
      let future = stress.make(name, .modelOnly)
      shown = future
      view.futureImage = future
    }
  }

  var faultAtRest: String? {
    let photo = view.image?.color.flatMap { PhotoHistory.photo(of: $0, among: 1...1) }
    return shown == nil || photo == 1 ? nil : "the cell of \(name) does not show the photo that was set last"
  }
}
