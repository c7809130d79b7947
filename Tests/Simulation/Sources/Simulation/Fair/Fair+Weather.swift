import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A fair over an unreliable network, whose images are replaced meanwhile.
extension Fair {
  /// - Returns: the faults.
  static func weather(seed: UInt64, each count: Int) -> [String] {
    let web = Web(Fair.pictures, seed: seed)
    let disks = MoodyTier.Weather(seed: ~seed)
    let fair = Fair.over(web, disks)
    let views = MainActor.assumeIsolated { (0..<12).map { imageView($0 % 2 == 0 ? 64 : 16) } }
    _ = Together.task { await fair.crowd(views, seed: seed, each: count / 2) }
    _ = Together.task { await fair.replacePictures(on: web, seed) }
    simulator.rest(for: .seconds(600))
    var faults = fair.told.wrong
    if fair.told.missing > 0 { faults.append("\(fair.told.missing) were never told") }
    if web.running > 0 { faults.append("\(web.running) exchanges never end") }
    if web.begun != fair.loader.statistics.requests {
      faults.append("\(web.begun) exchanges were begun, and \(fair.loader.statistics.requests) counted")
    }
    guard faults.isEmpty else { return faults }

    web.calm()
    disks.calm()
    fair.calm()
    for future in fair.futures { future.reload() }
    simulator.rest(for: .seconds(600))
    faults = fair.outdated(in: views) + fair.told.wrong + MainActor.assumeIsolated { fair.bindings.faults(views) }
    guard faults.isEmpty else { return faults }

    _ = Together.task { await fair.leave() }
    simulator.rest(for: .seconds(600))
    MainActor.assumeIsolated { for view in views { view.image = nil } }
    simulator.rest(for: .seconds(600))
    let living = fair.futures.map { "the future of \(fair.name(of: $0)) lives" }
    return fair.loader.leftOver + living
  }

  /// Returns a fair over that network and those disks, in the scheduler's time.
  static func over(_ web: Web, _ disks: MoodyTier.Weather = .calm, _ belongings: Belongings = .none) -> Fair {
    let fair = Fair(belongings, passTime: Together.pass, disk: { MoodyTier($0, disks) }) { configuration in
      configuration.fetcher = web
      configuration.clock = SimulatedClock()
      configuration.writes = WriteBehind(clock: SimulatedClock())
      configuration.silence = .seconds(1)
      configuration.now = { Date(timeIntervalSince1970: 1_700_000_000 + SimulatedClock().now.offset / .seconds(1)) }
    }
    Together.watch { [weak fair] in
      guard let runs = fair?.loader.state.withLock({ $0.fetches.runCount }), web.running > runs else { return nil }
      return "\(web.running) exchanges go on, and \(runs) transfers have slots"
    }
    return fair
  }

  func replacePictures(on web: Web, _ seed: UInt64) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<12 {
      try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<2_000, using: &random)), clock: SimulatedClock())
      let name = Fair.names.randomElement(using: &random) ?? ""
      Together.note("replace \(name)")
      web.replace(name)
    }
  }

  /// Returns the futures that lack an image, and the views that lack the newest one.
  private func outdated(in views: [UIImageView]) -> [String] {
    let futures: [String] = futures.compactMap { future in
      if case .failed(let refusal) = future.stage { return "\(name(of: future)) has failed: \(refusal.failure)" }
      return future.wholeSize == nil ? "\(name(of: future)) is \(future.phase)" : nil
    }
    return futures
      + MainActor.assumeIsolated {
        views.compactMap { view in
          if let future = view.futureImage { return "a view waits for \(name(of: future)), which is \(future.phase)" }
          guard let colour = view.image?.colour else { return nil }
          let isNewest = Fair.names.contains { Fair.colour($0, version: Fair.lastVersion).isNearly(colour) }
          // A plain image that a view got from another view concerns no future.
          return isNewest || holders(of: view).isEmpty ? nil : "a view shows an older picture"
        }
      }
  }

  /// The futures that are bound to the view.
  @MainActor private func holders(of view: UIImageView) -> [FutureImage] {
    futures.filter { $0.bindings.contains { $0.stands && $0.isIn(.view(view)) } }
  }
}
