import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair whose server has another picture each time that it is asked.
extension Fair {
  /// - Returns: what was wrong: who has another picture than the others have in the end.
  static func changes(seed: UInt64, each count: Int) -> [String] {
    let fair = Fair()
    let name = Fair.names[Int(seed / 7 % UInt64(Fair.names.count))]
    let views = MainActor.assumeIsolated { (0..<4).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    let steady = (fair.policies[name] ?? []).map { fair.make(name, $0) }
    let server = Together.task {
      var number = 0
      while !Task.isCancelled {
        await fair.shop.held.waitForHeld()
        number += 1
        fair.shop.held.resolve(Shop.url(name), with: versions[number % versions.count])
        await Task.yield()
      }
    }
    for number in 0..<3 {
      Together.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 { fair.turn(steady, name, &random) }
      }
    }
    // Not at the last one, which has a memory tier: nothing makes its newest pixels but who waits for them.
    let seen = Array(steady.dropLast())
    _ = Together.task { await fair.look(views, seen, seed, count / 2) }
    simulator.rest()
    server.cancel()
    simulator.rest()
    return fair.disagreements(steady, name) + fair.told.wrong + (fair.told.missing > 0 ? ["\(fair.told.missing) were never told"] : [])
  }

  private static let versions = (0..<8).map { Colour(red: 30 * $0, green: 250 - 30 * $0).jpeg() }

  /// Someone reloads, looks, or makes one more future.
  private func turn(_ steady: [FutureImage], _ name: String, _ random: inout SeededGenerator) {
    Together.giveWay()
    guard let future = steady.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      Together.note("reload")
      future.reload()
    case 2:
      Together.note("empty the pool")
      loader.emptyPixelPool()
    case 3:
      Together.note("wait for the last")
      wait(for: steady[steady.count - 1], .full)
    case 4:
      Together.note("make")
      put(make(name, policies[name]?.randomElement(using: &random) ?? .automatic), Int.random(in: 0..<3, using: &random))
    default:
      Together.note("wait")
      wait(for: future, [.full, .square(8)].randomElement(using: &random) ?? .full)
    }
  }

  private func wait(for future: FutureImage, _ fitting: FutureImage.Fitting) {
    let (told, number) = (told, told.add())
    future.wait(fitting) { result in
      if case .failure(let failure) = result { told.tell(number, fault: "\(failure)") } else { told.tell(number) }
    }
  }

  @MainActor private func look(_ views: [UIImageView], _ steady: [FutureImage], _ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      Together.note("show")
      views.randomElement(using: &random)?.futureImage = steady.randomElement(using: &random)
      await Task.yield()
    }
  }

  /// What the futures show, and what their tiers have, must be one picture.
  private func disagreements(_ steady: [FutureImage], _ name: String) -> [String] {
    var shown: [String: Colour] = [:]
    for (number, future) in steady.enumerated() { shown["future \(number)"] = future.state.withLock { $0.best }?.colour }
    for policy in policies[name] ?? [] {
      if let image = policy.memory?.image(forKey: source(name).id.text) { shown["a memory tier"] = image.colour }
    }
    for (number, future) in steady.enumerated() {
      guard let tier = future.descriptor?.disk as? HeldTier, let body = tier.body else { continue }
      shown["the disk tier of future \(number)"] = UIImage(data: body)?.colour
    }
    let colours = shown.values
    guard let one = colours.first, colours.contains(where: { !$0.isNearly(one) }) else { return [] }
    return ["not one picture: \(shown.sorted { $0.key < $1.key })"]
  }
}
