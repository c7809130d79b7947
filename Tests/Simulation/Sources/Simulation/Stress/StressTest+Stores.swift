import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test in which one photo after another replaces an image. The image's disk tiers write slowly.
extension StressTest {
  /// Sets one photo after another. The server does not have the image, so all bytes come from the tiers, or from writes that have not
  /// started.
  /// - Returns: the faults: tasks that got no photo, or a photo older than the last photo at the time of the request, and state that
  ///   released futures left in the loader.
  static func stores(seed: UInt64, each count: Int) -> [String] {
    overSlowDisks(seed, count, visitingWith: \.self, answer: { _ in (FutureImage.Response(status: 404), Data()) }) {
      stress, photo, name, _ in
      await stress.set(photo, for: name)
    }
  }

  /// Sets some photos, and fetches others, which must not be stored. Each photo may replace a photo that waits to be written. Tasks await
  /// the image by futures that use only the caches, which may have no photo.
  /// - Returns: the faults, like those of ``stores(seed:each:)``.
  static func refreshes(seed: UInt64, each count: Int) -> [String] {
    let headers = ["cache-control": "no-store"]
    @Sendable func answer(_ photo: Int) -> (FutureImage.Response, Data) {
      (FutureImage.Response(status: 200, headers: headers), PhotoHistory.picture(photo).pngData() ?? Data())
    }
    var random = SeededGenerator(seed: seed)
    let fetched = Set((2...max(count, 2)).filter { _ in Bool.random(using: &random) })
    return overSlowDisks(seed, count, visitingWith: \.onlyFromCache, answer: answer) { stress, photo, name, keepers in
      guard fetched.contains(photo) else { return await stress.set(photo, for: name) }
      StressThreads.note("fetch photo \(photo)")
      let failures = await [keepers[photo % keepers.count]].reload().compactMap(\.self)
      for failure in failures { stress.waiters.record(stress.waiters.add(), fault: "photo \(photo) cannot be fetched: \(failure)") }
    }
  }

  /// Changes the photo of one image repeatedly, while tasks await the image. The disk tiers are slow.
  /// - Parameters:
  ///   - visited: returns the policy for the futures that the tasks create. Its argument is the policy of one of the futures that the test
  ///     retains until its end.
  ///   - answer: returns the server's answer. Its argument is the number of the latest photo that the test has begun to set or fetch.
  ///   - change: sets the photo with the given number for the given name, or fetches it by reloading one of the given futures.
  private static func overSlowDisks(
    _ seed: UInt64, _ count: Int, visitingWith visited: (FutureImage.CachePolicy) -> FutureImage.CachePolicy,
    answer: @escaping @Sendable (Int) -> (FutureImage.Response, Data),
    change: @escaping @Sendable (StressTest, Int, String, [FutureImage]) async -> Void
  ) -> [String] {
    let disks = UnreliableTier.Disks(seed: ~seed, isSlowOnly: true)
    let stress = StressTest(
      passTime: StressThreads.pass, disk: { UnreliableTier($0, disks) },
      change: { configuration in
        configuration.clock = SimulatedClock()
        configuration.writes = WriteBehind(clock: SimulatedClock())
      })
    let name = changedName(seed)
    // The policies with their own disk tier and without a memory tier. A memory tier would have the pixels, so no future would need the
    // bytes.
    let policies = (stress.policies[name] ?? []).filter { policy in if case .tier = policy.disk { policy.memory == nil } else { false } }
    // A photo is written only to the tiers of existing futures.
    var keepers = policies.map { stress.make(name, $0) }
    let (last, begun, photo) = (max(count / 16, 2), Observed(1), Observed(0))
    _ = StressThreads.task {
      await stress.set(1, for: name)
      photo.update { $0 = 1 }
    }
    simulator.rest(for: .seconds(600))
    let server = StressThreads.task {
      while !Task.isCancelled {
        await stress.fixture.held.waitForHeld()
        let (response, body) = answer(begun.read { $0 })
        stress.fixture.held.answer(nil, response, body)
        await Task.yield()
      }
    }
    _ = StressThreads.task { [keepers] in
      var random = SeededGenerator(seed: ~seed)
      for number in 2...last {
        // Some photos follow the previous photo at once.
        let pause = Bool.random(using: &random) ? 0 : Int.random(in: 0..<2_500, using: &random)
        try? await Task.sleep(for: .milliseconds(pause), clock: SimulatedClock())
        begun.update { $0 = number }
        await change(stress, number, name, keepers)
        photo.update { $0 = number }
      }
    }
    for number in 1..<max(scale.actors, 2) {
      let policies = policies.map(visited)
      _ = StressThreads.task {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 8 { await stress.look(at: name, by: policies, after: photo, &random) }
      }
    }
    simulator.rest(for: .seconds(600))
    for future in keepers { stress.expect(last, of: future) }
    simulator.rest(for: .seconds(600))
    let faults = stress.waiters.wrong + (stress.waiters.missing > 0 ? ["\(stress.waiters.missing) waiters got no result"] : [])
    keepers = []
    server.cancel()
    simulator.rest(for: .seconds(600))
    return faults + (faults.isEmpty ? stress.loader.leftOver : [])
  }

  func set(_ photo: Int, for name: String) async {
    StressThreads.note("set photo \(photo)")
    // The photo is fresh until the run ends.
    _ = try? await loader.set(PhotoHistory.picture(photo), forKey: source(name).key, freshFor: .seconds(1 << 20))
  }

  /// Awaits the pixels of a new future.
  /// - Parameter photo: the last photo that was set or fetched.
  private func look(
    at name: String, by policies: [FutureImage.CachePolicy], after photo: Observed<Int>, _ random: inout SeededGenerator
  ) async {
    let pause = Duration.milliseconds(Int.random(in: 0..<1_500, using: &random))
    try? await Task.sleep(for: pause, clock: SimulatedClock())
    if Bool.random(using: &random) {
      StressThreads.note("empty the pool")
      loader.removeCachedPixels()
    }
    guard let policy = policies.randomElement(using: &random) else { return }
    let number = photo.read { $0 }
    StressThreads.note("look at photo \(number)")
    let future = make(name, policy)
    expect(number, of: future)
    _ = try? await future.value
  }

  /// Records a fault if the future gets neither that photo nor a later photo. A future that uses only the caches may fail.
  private func expect(_ photo: Int, of future: FutureImage) {
    let (waiters, number) = (waiters, waiters.add())
    future.wait(.full) { result in
      switch result {
      case .failure(let failure): waiters.record(number, fault: failure.reason == .notCached ? nil : "no photo: \(failure)")
      case .success(let image):
        let shown = image.color.flatMap { PhotoHistory.photo(of: $0, among: 1...99) } ?? 0
        waiters.record(number, fault: shown < photo ? "photo \(shown) is shown, and photo \(photo) was set before" : nil)
      }
    }
  }
}
