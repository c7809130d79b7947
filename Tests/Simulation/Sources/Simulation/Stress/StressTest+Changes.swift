import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test whose server answers each request with another image.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults: futures and tiers that do not have the same image at the end.
  static func changes(seed: UInt64, each count: Int) -> [String] {
    let stress = StressTest()
    let name = changedName(seed)
    return stress.changes(name, stress.policies[name] ?? [], seed, count)
  }

  static func changedName(_ seed: UInt64) -> String { names[Int(seed / 16 % UInt64(names.count))] }

  /// Runs this test with the image of the given name.
  /// - Parameters:
  ///   - policies: the policies of the futures that exist during the whole test, one for each. The last policy has a memory tier.
  ///   - isPrepared: whether all futures have an image before the threads start.
  func changes(_ name: String, _ policies: [FutureImage.CachePolicy], _ seed: UInt64, _ count: Int, isPrepared: Bool = false) -> [String] {
    let views = MainActor.assumeIsolated { (0..<4).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    let steady = policies.map { make(name, $0) }
    let server = StressThreads.task { [self] in
      var number = 0
      while !Task.isCancelled {
        await fixture.held.waitForHeld()
        number += 1
        fixture.held.resolve(LoaderFixture.url(name), with: StressTest.versions[number % StressTest.versions.count])
        await Task.yield()
      }
    }
    if isPrepared { simulator.rest() }
    for number in 0..<scale.actors {
      StressThreads.thread { [self] in
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 { turn(steady, name, policies, &random) }
      }
    }
    // No view shows the last future, which has a memory tier. So its newest pixels are decoded, and stored in the tier, only when code
    // awaits them.
    let seen = Array(steady.dropLast())
    _ = StressThreads.task { [self] in await look(views, seen, seed, count / 2) }
    simulator.rest()
    server.cancel()
    simulator.rest()
    return disagreements(steady, name, policies) + waiters.wrong + (waiters.missing > 0 ? ["\(waiters.missing) waiters got no result"] : [])
  }

  static let versions = (0..<8).map { TestColor(red: 30 * $0, green: 250 - 30 * $0).jpeg() }

  /// Reloads or awaits a future, empties the pool, or creates another future.
  private func turn(
    _ steady: [FutureImage], _ name: String, _ policies: [FutureImage.CachePolicy], _ random: inout SeededGenerator
  ) {
    StressThreads.yieldTurn()
    guard let future = steady.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      StressThreads.note("reload")
      future.reload()
    case 2:
      StressThreads.note("empty the pool")
      loader.removeCachedPixels()
    case 3:
      StressThreads.note("wait for the last")
      wait(for: steady[steady.count - 1], .full)
    case 4:
      StressThreads.note("make")
      put(make(name, policies.randomElement(using: &random) ?? .automatic), Int.random(in: 0..<3, using: &random))
    default:
      StressThreads.note("wait")
      wait(for: future, [.full, .square(8)].randomElement(using: &random) ?? .full)
    }
  }

  private func wait(for future: FutureImage, _ fitting: FutureImage.Fitting) {
    let (waiters, number) = (waiters, waiters.add())
    future.wait(fitting) { result in
      if case .failure(let failure) = result { waiters.record(number, fault: "\(failure)") } else { waiters.record(number) }
    }
  }

  @MainActor private func look(_ views: [UIImageView], _ steady: [FutureImage], _ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      StressThreads.note("show")
      views.randomElement(using: &random)?.futureImage = steady.randomElement(using: &random)
      await Task.yield()
    }
  }

  /// Compares the images of the futures and the tiers, which must all be the same.
  private func disagreements(_ steady: [FutureImage], _ name: String, _ policies: [FutureImage.CachePolicy]) -> [String] {
    var shown: [String: TestColor] = [:]
    for (number, future) in steady.enumerated() { shown["future \(number)"] = future.best?.color }
    for policy in policies {
      if let image = policy.memory?.image(forKey: source(name).id.text) { shown["a memory tier"] = image.color }
    }
    for (number, future) in steady.enumerated() {
      guard let body = future.descriptor?.disk?.bodyAtRest else { continue }
      shown["the disk tier of future \(number)"] = UIImage(data: body)?.color
    }
    let colors = shown.values
    guard let one = colors.first, colors.contains(where: { !$0.isNearly(one) }) else { return [] }
    return ["the images differ: \(shown.sorted { $0.key < $1.key })"]
  }
}

extension FutureImage.DiskTier {
  /// The bytes that the tier stores. Read them only while nothing writes to the tier.
  fileprivate var bodyAtRest: Data? {
    switch self {
    case let tier as HeldTier: tier.body
    case let tier as AskedTier: try? tier.waitForEntry(forKey: "")?.body
    default: nil
    }
  }
}
