import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A test of animations in views that enter and leave a window, and are bound, measured, and released. The app pauses the animations, and
/// changes their speed and position, while other threads empty the pool, reload the images, and release views.
@MainActor final class PlayerTest {
  private let server: FilmServer
  private let decoder = FilmDecoder()
  private let fixture: LoaderFixture
  private let notifications = NotificationCenter()
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private let unused = ReleaseQueue()
  private var photos: [FutureImage] = []
  private var views: [FilmView] = []
  private var players: [WeakPlayer] = []

  private struct WeakPlayer {
    weak var player: FutureImage.Player?
  }

  /// The threads, and the task, that have not ended.
  private final class Running: @unchecked Sendable {
    // Sendable: only one thread runs at a time.
    var count = scale.actors + 1
  }

  private init(_ seed: UInt64) {
    server = FilmServer(seed: seed)
    let (server, decoder) = (server, decoder)
    let frame = 4 * Film.size.width * Film.size.height
    fixture = LoaderFixture(maxPixelBytes: 16 * frame, notifications: notifications) {
      $0.fetcher = server
      $0.decoder = decoder
      $0.clock = SimulatedClock()
    }
    photos = Film.names.indices.map { makePhoto($0) }
    views = (0..<5).map { makeView($0) }
  }

  /// Runs this test.
  /// - Returns: the faults.
  nonisolated static func mixed(seed: UInt64, each count: Int) -> [String] {
    let test = MainActor.assumeIsolated { PlayerTest(seed) }
    let loader = test.fixture.loader
    StressThreads.watch { [decoder = test.decoder] in brokenLimit(of: loader) ?? decoder.faults.first }
    for round in 0..<3 {
      let seed = seed << 8 + UInt64(round * 16)
      let running = Running()
      for number in 0..<scale.actors {
        StressThreads.thread {
          var random = SeededGenerator(seed: seed + UInt64(number))
          for _ in 0..<count / 16 { test.disturb(&random) }
          running.count -= 1
        }
      }
      _ = StressThreads.task {
        await test.act(seed, count / 4)
        running.count -= 1
      }
      test.decoder.setSlow(true)
      simulator.run { running.count == 0 }
      test.decoder.setSlow(false)
      simulator.rest(for: .seconds(1))
      let faults = MainActor.assumeIsolated { test.faultsAtRest }
      guard faults.isEmpty else { return faults }
    }
    let faults = test.calmFaults(seed)
    guard faults.isEmpty else { return faults }
    MainActor.assumeIsolated { test.leave() }
    test.unused.release()
    simulator.rest()
    loader.removeCachedPixels()
    simulator.rest()
    return MainActor.assumeIsolated { test.leftOver } + loader.leftOver
  }

  private func makePhoto(_ number: Int) -> FutureImage { fixture.future(Film.names[number], policy: .modelOnly) }

  private func makeView(_ number: Int) -> FilmView { FilmView(width: number % 2 == 0 ? 64 : 16, decoder) }

  // MARK: What other threads do

  private nonisolated func disturb(_ random: inout SeededGenerator) {
    StressThreads.yieldTurn()
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      StressThreads.note("send a memory warning")
      if let platformMemoryWarning { notifications.post(name: platformMemoryWarning, object: nil) }
    case 1:
      StressThreads.note("empty the pool")
      fixture.loader.removeCachedPixels()
    case 2, 3:
      StressThreads.note("release views and futures")
      unused.release()
    default: StressThreads.pass(.milliseconds(Int.random(in: 0..<300, using: &random)))
    }
  }

  // MARK: What the app does

  private func act(_ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      await Task.yield()
      let number = Int.random(in: 0..<views.count, using: &random)
      act(on: views[number], number, &random)
      if Int.random(in: 0..<3, using: &random) == 0 { await pass(.milliseconds(Int.random(in: 0..<300, using: &random))) }
    }
  }

  private nonisolated func pass(_ time: Duration) async { try? await Task.sleep(for: time, clock: SimulatedClock()) }

  private func act(on view: FilmView, _ number: Int, _ random: inout SeededGenerator) {
    let film = Int.random(in: 0..<photos.count, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<4: show(film, in: view, number)
    case 4..<7:
      StressThreads.note("move view \(number) \(view.window == nil ? "into" : "out of") the window")
      moveIntoWindow(view, view.window == nil)
    case 7, 8:
      StressThreads.note("measure view \(number)")
      let width: CGFloat = [16, 32, 64].randomElement(using: &random) ?? 16
      view.bounds.size = CGSize(width: width, height: width * 3 / 4)
      for photo in photos { photo.measureViews() }
    case 9, 10, 11:
      StressThreads.note("pause or play film \(film)")
      player(of: film)?.isPaused.toggle()
      // An animation that has ended begins again at its first frame.
      forgetFrames()
    case 12, 13, 14: seek(film, &random)
    case 15:
      StressThreads.note("change the speed of film \(film)")
      player(of: film)?.speed = [0.5, 1, 2].randomElement(using: &random) ?? 1
    case 16:
      StressThreads.note("empty view \(number)")
      view.film = nil
      view.image = nil
    case 17:
      StressThreads.note("another future of film \(film)")
      unused.add(photos[film])
      photos[film] = makePhoto(film)
    case 18:
      StressThreads.note("another view \(number)")
      moveIntoWindow(view, false)
      unused.add(view)
      views[number] = makeView(number)
    default:
      StressThreads.note("reload film \(film)")
      photos[film].reload()
    }
  }

  private func show(_ film: Int, in view: FilmView, _ number: Int) {
    StressThreads.note("show film \(film) in view \(number)")
    view.film = film
    view.forget()
    view.futureImage = photos[film]
  }

  private func moveIntoWindow(_ view: FilmView, _ isInside: Bool) {
    view.forget()
    if isInside { window.addSubview(view) } else { view.removeFromSuperview() }
  }

  private func seek(_ film: Int, _ random: inout SeededGenerator) {
    guard let player = player(of: film) else { return }
    let time = Double.random(in: 0..<player.duration, using: &random)
    StressThreads.note("set film \(film) to \(time)")
    forgetFrames()
    player.time = time
    forgetFrames()
  }

  private func forgetFrames() { for view in views { view.forget() } }

  private func player(of film: Int) -> FutureImage.Player? {
    let player = photos[film].player
    watch(player)
    return player
  }

  /// Adds the player to the players that must be released at the end.
  private func watch(_ player: FutureImage.Player?) {
    if let player, !players.contains(where: { $0.player === player }) { players.append(WeakPlayer(player: player)) }
  }

  // MARK: Checks

  /// Returns a description of a violated rule; nil if there is none. These rules apply at any time, even while work is in progress.
  private nonisolated static func brokenLimit(of loader: FutureImage.Loader) -> String? {
    let (bytes, limit) = (loader.pixelBytes, loader.configuration.maxPixelBytes)
    if bytes > limit { return "\(bytes) bytes are in the pool, of \(limit) allowed" }
    // The three frames are the shown frame and the two frames after it.
    for (_, feed) in feeds(of: loader) where feed.heldFrames > 3 {
      return "\(feed.heldFrames) frames of one animation are in memory in addition to the first frame"
    }
    return nil
  }

  /// Returns the animations in the pool at all decode steps, each with the name of its film.
  private nonisolated static func feeds(of loader: FutureImage.Loader) -> [(name: String, feed: AnimationFeed)] {
    Film.names.flatMap { name in
      loader.pool.decodes(of: FutureImage.Source.url(LoaderFixture.url(name)).id).compactMap { living in
        living.image.feed.map { (name, $0) }
      }
    }
  }

  private var faultsAtRest: [String] {
    for view in views { watch(view.player) }
    let visible = views.filter { $0.window != nil }
    let seen = Set(visible.compactMap { $0.feed.map { Swift.ObjectIdentifier($0) } })
    // Without a view in a window, an animation retains only the frame that a view outside of a window shows.
    let unseen = Self.feeds(of: fixture.loader).filter { !seen.contains(Swift.ObjectIdentifier($0.feed)) && $0.feed.heldFrames > 1 }
    return views.compactMap(\.fault) + decoder.faults + visible.compactMap { fault(of: $0) }
      + unseen.map { "\($0.feed.heldFrames) frames of film \($0.name) are in memory, and no view in a window shows it" }
  }

  /// Returns a fault if a view in a window does not show the frame of its player.
  private func fault(of view: FilmView) -> String? {
    guard let frame = FilmFrame(view.image), let player = view.player else { return nil }
    if player.index == frame.index || player.index >= frame.film.playableCount { return nil }
    return "a view shows frame \(frame.index) of film \(frame.film.number), whose player is at frame \(player.index)"
  }

  // MARK: Calm

  /// Shows the last version of each film. Then makes one change at a time, and checks the views after each change, when no work remains.
  /// - Returns: the faults.
  private nonisolated func calmFaults(_ seed: UInt64) -> [String] {
    server.makeReliable()
    // Transfers that have begun may still deliver other versions.
    simulator.rest()
    MainActor.assumeIsolated {
      for photo in photos { photo.reload() }
      for (number, view) in views.enumerated() {
        show(number % photos.count, in: view, number)
        moveIntoWindow(view, true)
      }
    }
    simulator.rest()
    return MainActor.assumeIsolated { play() } ?? MainActor.assumeIsolated { setPosition(seed) } ?? MainActor.assumeIsolated { hide() }
      ?? MainActor.assumeIsolated { play() } ?? []
  }

  /// Plays all films for two seconds.
  private func play() -> [String]? {
    for view in views {
      view.player?.isPaused = false
      view.player?.speed = 1
      (view.followed, _) = (0, view.forget())
    }
    simulator.rest(for: .zero)
    _ = decoder.takeDecodes()
    simulator.rest(for: .seconds(2))
    // In this time, each of the five frames is shown twice, so a view changes its frame about ten times. The limits below are less strict,
    // because a timer of the simulation may fire early.
    let still = views.filter { $0.followed < 8 }.map { "film \($0.film ?? -1) changed its frame \($0.followed) times in two seconds" }
    let repeated = decoder.takeDecodes().filter { $0.value > 3 }.map { "\($0.key) was decoded \($0.value) times in two rounds" }
    let faults = faultsAtRest + still + repeated
    return faults.isEmpty ? nil : faults
  }

  /// Pauses the films, and sets the position of each.
  private func setPosition(_ seed: UInt64) -> [String]? {
    var random = SeededGenerator(seed: seed)
    for view in views { view.player?.isPaused = true }
    simulator.rest()
    for _ in 0..<3 {
      _ = decoder.takeDecodes()
      for film in photos.indices { seek(film, &random) }
      simulator.rest()
      let repeated = decoder.takeDecodes().filter { $0.value > 1 }.map { "\($0.key) was decoded \($0.value) times for one position" }
      let faults = faultsAtRest + repeated
      guard faults.isEmpty else { return faults }
    }
    return nil
  }

  /// Moves all views out of the window, checks that nothing is decoded, and moves the views back.
  private func hide() -> [String]? {
    for view in views {
      view.player?.isPaused = false
      moveIntoWindow(view, false)
    }
    simulator.rest(for: .zero)
    _ = decoder.takeDecodes()
    simulator.rest(for: .seconds(2))
    let decoded = decoder.takeDecodes().keys.map { "\($0) was decoded, and no view in a window shows it" }
    let open = decoder.openCount > 0 ? ["\(decoder.openCount) animations are open, and no view is in a window"] : []
    let faults = faultsAtRest + decoded + open
    for view in views { moveIntoWindow(view, true) }
    return faults.isEmpty ? nil : faults
  }

  // MARK: The end

  private func leave() {
    for view in views {
      view.removeFromSuperview()
      unused.add(view)
    }
    for photo in photos { unused.add(photo) }
    (views, photos) = ([], [])
  }

  private var leftOver: [String] {
    let facts = [
      ("players", players.count { $0.player != nil }), ("open animations", decoder.openCount), ("timers", simulator.timers.count),
      ("bytes in the pool", fixture.loader.pixelBytes)
    ]
    return facts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0) are left" }
  }
}

extension AnimationFeed {
  /// The number of frames in memory, without the first frame.
  fileprivate var heldFrames: Int {
    let size = key.step.size(of: Film.size)
    return heldBytes / (4 * size.width * size.height)
  }
}
