import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair at which one photo after another is set for an image, whose disk tiers write slowly. The server has no such image, so all bytes
/// come from the tiers, or from those that wait to be written.
extension Fair {
  /// - Returns: the faults: visitors who got no photo, or an older one than the last that had been set before, and what is left of futures.
  static func stores(seed: UInt64, each count: Int) -> [String] {
    let disks = MoodyTier.Weather(seed: ~seed, isSlowOnly: true)
    let fair = Fair(
      passTime: Together.pass, disk: { MoodyTier($0, disks) },
      change: { configuration in
        configuration.clock = SimulatedClock()
        configuration.writes = WriteBehind(clock: SimulatedClock())
      })
    let name = changedName(seed)
    // Those with a disk tier of their own. A memory tier would have the pixels, so that nobody needs the bytes.
    let policies = (fair.policies[name] ?? []).filter { policy in if case .tier = policy.disk { policy.memory == nil } else { false } }
    // A photo is written to the tiers of the futures that live.
    var keepers = policies.map { fair.make(name, $0) }
    let (last, photo) = (max(count / 16, 2), Observed(0))
    _ = Together.task { await fair.set(1, for: name, noting: photo) }
    simulator.rest(for: .seconds(600))
    let server = Together.task {
      while !Task.isCancelled {
        await fair.shop.held.waitForHeld()
        fair.shop.held.answer(nil, FutureImage.Response(status: 404))
        await Task.yield()
      }
    }
    _ = Together.task {
      var random = SeededGenerator(seed: ~seed)
      for number in 2...last {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<2_500, using: &random)), clock: SimulatedClock())
        await fair.set(number, for: name, noting: photo)
      }
    }
    for number in 1..<max(scale.visitors, 2) {
      _ = Together.task {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 8 { await fair.look(at: name, by: policies, after: photo, &random) }
      }
    }
    simulator.rest(for: .seconds(600))
    for future in keepers { fair.expect(last, of: future) }
    simulator.rest(for: .seconds(600))
    let faults = fair.told.wrong + (fair.told.missing > 0 ? ["\(fair.told.missing) were never told"] : [])
    keepers = []
    server.cancel()
    simulator.rest(for: .seconds(600))
    return faults + (faults.isEmpty ? fair.loader.leftOver : [])
  }

  private func set(_ number: Int, for name: String, noting photo: Observed<Int>) async {
    await set(number, for: name)
    photo.update { $0 = number }
  }

  func set(_ photo: Int, for name: String) async {
    Together.note("set photo \(photo)")
    try? await loader.set(PhotoHistory.picture(photo), forKey: source(name).key)
  }

  /// Waits for the pixels of a new future.
  /// - Parameter photo: the last photo that was set.
  private func look(
    at name: String, by policies: [FutureImage.CachePolicy], after photo: Observed<Int>, _ random: inout SeededGenerator
  ) async {
    let pause = Duration.milliseconds(Int.random(in: 0..<1_500, using: &random))
    try? await Task.sleep(for: pause, clock: SimulatedClock())
    if Bool.random(using: &random) {
      Together.note("empty the pool")
      loader.emptyPixelPool()
    }
    guard let policy = policies.randomElement(using: &random) else { return }
    let number = photo.read { $0 }
    Together.note("look at photo \(number)")
    let future = make(name, policy)
    expect(number, of: future)
    _ = try? await future.value
  }

  /// Expects that photo, or a later one.
  private func expect(_ photo: Int, of future: FutureImage) {
    let (told, number) = (told, told.add())
    future.wait(.full) { result in
      switch result {
      case .failure(let failure): told.tell(number, fault: "no photo: \(failure)")
      case .success(let image):
        let shown = image.colour.flatMap { PhotoHistory.photo(of: $0, among: 1...99) } ?? 0
        told.tell(number, fault: shown < photo ? "photo \(shown) is shown, and photo \(photo) was set before" : nil)
      }
    }
  }
}
