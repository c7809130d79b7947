import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A stress test in which the app replaces a server's images by photos until the images are reloaded. The memory tiers are slow.
extension StressTest {
  /// Runs this test.
  /// - Returns: the faults.
  static func photos(seed: UInt64, each count: Int) -> [String] {
    let web = SimulatedServer(StressTest.pictures, seed: seed, isReliable: true)
    let delay = RandomDelay(seed: seed)
    let stress = StressTest.over(
      web, .reliable,
      Belongings(
        object: { _ in nil },
        image: { image in
          delay.take()
          return image
        }))
    let names = StressTest.names.prefix(1 + Int(seed / 16 % 2))
    let album = Album(Array(names), of: stress)
    // Wait until all futures have their images, and the tiers have validators for these images.
    simulator.rest(for: .seconds(600))
    var faults: [String] = []
    for round in 0..<4 where faults.isEmpty {
      for number in 0..<scale.actors {
        _ = StressThreads.task {
          var random = SeededGenerator(seed: seed << 4 + UInt64(4 * round + number))
          for _ in 0..<count / 16 { await album.turn(&random, web) }
        }
      }
      simulator.rest(for: .seconds(600))
      faults = album.faultsAtRest()
    }
    return faults
  }
}

/// The futures of some images, with a history of the photos that were set and of the reloads.
private final class Album: Sendable {
  private struct State {
    var histories: [String: PhotoHistory] = [:]
    var moment = 0
    var photos = 0
    var faults: [String] = []
  }

  private let stress: StressTest
  private let futures: [String: [FutureImage]]
  private let names: [String]
  private let state = Lock(State(), rank: .testing)

  init(_ names: [String], of stress: StressTest) {
    (self.stress, self.names) = (stress, names)
    futures = Dictionary(uniqueKeysWithValues: names.map { name in (name, (stress.policies[name] ?? []).map { stress.make(name, $0) }) })
  }

  func turn(_ random: inout SeededGenerator, _ web: SimulatedServer) async {
    guard let name = names.randomElement(using: &random), let future = futures[name]?.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: await set(name)
    case 2...4: await reload(name, future)
    case 5:
      StressThreads.note("replace \(name)")
      web.replace(name)
    case 6, 7: ask(for: name, future)
    case 8:
      StressThreads.note("empty the pool")
      stress.loader.removeCachedPixels()
    default:
      StressThreads.note("wait")
      let pause = Duration.milliseconds(Int.random(in: 0..<1_500, using: &random))
      try? await Task.sleep(for: pause, clock: SimulatedClock())
    }
  }

  private func set(_ name: String) async {
    let (photo, moment) = state.withLock { state in
      state.photos += 1
      state.moment += 1
      return (state.photos, state.moment)
    }
    StressThreads.note("set \(name) to photo \(photo)")
    let image = PhotoHistory.picture(photo)
    do {
      // The photo is fresh until the run ends.
      try await stress.loader.set(image, forKey: stress.source(name).key, freshFor: .seconds(1 << 20))
    } catch {
      note("a photo cannot be set: \(error)")
    }
    finish(name) { $0.noteSet(photo, from: moment, to: $1) }
  }

  /// Requests pixels. A future with a memory tier stores them in the tier. A photo may replace them meanwhile.
  private func ask(for name: String, _ future: FutureImage) {
    StressThreads.note("request \(name)")
    _ = StressThreads.task { _ = try? await future.value(fitting: .full) }
  }

  private func reload(_ name: String, _ future: FutureImage) async {
    StressThreads.note("reload \(name)")
    let moment = now()
    let failures = await [future].reload()
    if failures == [nil] { finish(name) { $0.noteReload(from: moment, to: $1) } }
  }

  /// Returns the faults in the images of the futures and of the memory tiers. Call this method only when nothing is running.
  func faultsAtRest() -> [String] {
    let shown = Observed(inMemory())
    for name in names {
      for future in futures[name] ?? [] {
        _ = StressThreads.task {
          let image = try? await future.value(fitting: .full)
          shown.update { $0.append((name, image?.color)) }
        }
      }
    }
    simulator.rest(for: .seconds(600))
    let (faults, histories) = state.withLock { ($0.faults, $0.histories) }
    return faults + shown.read { $0 }.compactMap { name, color in histories[name]?.fault(of: color).map { "\(name): \($0)" } }
  }

  private func inMemory() -> [(String, TestColor?)] {
    names.flatMap { name in
      (stress.policies[name] ?? []).compactMap { policy in
        policy.memory?.image(forKey: stress.source(name).id.text).map { (name, $0.color) }
      }
    }
  }

  private func now() -> Int {
    state.withLock { state in
      state.moment += 1
      return state.moment
    }
  }

  private func finish(_ name: String, _ body: (inout PhotoHistory, Int) -> Void) {
    let moment = now()
    state.withLock { body(&$0.histories[name, default: PhotoHistory()], moment) }
  }

  private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }
}
