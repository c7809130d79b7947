import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test over an unreliable network. The server's images are replaced during the test.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults.
  static func network(seed: UInt64, each count: Int) -> [String] {
    let web = SimulatedServer(StressTest.pictures, seed: seed)
    let disks = UnreliableTier.Disks(seed: ~seed)
    let stress = StressTest.over(web, disks)
    let views = MainActor.assumeIsolated { (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    _ = StressThreads.task { await stress.crowd(views, seed: seed, each: count / 2) }
    _ = StressThreads.task { await stress.replacePictures(on: web, seed) }
    simulator.rest(for: .seconds(600))
    var faults = stress.waiters.wrong
    if stress.waiters.missing > 0 { faults.append("\(stress.waiters.missing) waiters got no result") }
    if web.running > 0 { faults.append("\(web.running) exchanges never end") }
    if web.begun != stress.loader.statistics.requests {
      faults.append("\(web.begun) exchanges have started, and the loader has counted \(stress.loader.statistics.requests)")
    }
    guard faults.isEmpty else { return faults }

    web.makeReliable()
    disks.makeReliable()
    stress.makeReliable()
    for future in stress.futures { future.reload() }
    simulator.rest(for: .seconds(600))
    faults = stress.outdated(in: views) + stress.waiters.wrong + MainActor.assumeIsolated { stress.bindings.faults(views) }
    guard faults.isEmpty else { return faults }

    _ = StressThreads.task { await stress.leave() }
    simulator.rest(for: .seconds(600))
    MainActor.assumeIsolated { for view in views { view.image = nil } }
    simulator.rest(for: .seconds(600))
    let living = stress.futures.map { "the future of \(stress.name(of: $0)) was not released" }
    return stress.loader.leftOver + living
  }

  /// Returns a stress test over that network and those disks. All delays pass in the scheduler's time.
  static func over(_ web: SimulatedServer, _ disks: UnreliableTier.Disks = .reliable, _ belongings: Belongings = .none) -> StressTest {
    let stress = StressTest(belongings, passTime: StressThreads.pass, disk: { UnreliableTier($0, disks) }) { configuration in
      configuration.fetcher = web
      configuration.clock = SimulatedClock()
      configuration.writes = WriteBehind(clock: SimulatedClock())
      configuration.silence = .seconds(1)
      configuration.now = { Date(timeIntervalSince1970: 1_700_000_000 + SimulatedClock().now.offset / .seconds(1)) }
    }
    StressThreads.watch { [weak stress] in
      guard let runs = stress?.loader.state.withLock({ $0.fetches.runCount }), web.running > runs else { return nil }
      return "\(web.running) exchanges are running, and \(runs) attempts have slots"
    }
    return stress
  }

  func replacePictures(on web: SimulatedServer, _ seed: UInt64) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<12 {
      try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<2_000, using: &random)), clock: SimulatedClock())
      let name = StressTest.names.randomElement(using: &random) ?? ""
      StressThreads.note("replace \(name)")
      web.replace(name)
    }
  }

  /// Returns the futures that lack an image, and the views that lack the newest image.
  private func outdated(in views: [UIImageView]) -> [String] {
    let futures: [String] = futures.compactMap { future in
      if case .failed(let refusal) = future.stage { return "\(name(of: future)) has failed: \(refusal.failure)" }
      return future.wholeSize == nil ? "\(name(of: future)) is \(future.phase)" : nil
    }
    return futures
      + MainActor.assumeIsolated {
        views.compactMap { view in
          if let future = view.futureImage { return "a view waits for \(name(of: future)), which is \(future.phase)" }
          guard let color = view.image?.color else { return nil }
          let isNewest = StressTest.names.contains { StressTest.color($0, version: StressTest.lastVersion).isNearly(color) }
          // A view without a bound future has a plain image from another view, and this image may be outdated.
          return isNewest || holders(of: view).isEmpty ? nil : "a view shows an older image"
        }
      }
  }

  /// Returns the futures that are bound to the view.
  @MainActor private func holders(of view: UIImageView) -> [FutureImage] {
    futures.filter { $0.bindings.contains { $0.isCurrent && $0.isIn(.view(view)) } }
  }
}
