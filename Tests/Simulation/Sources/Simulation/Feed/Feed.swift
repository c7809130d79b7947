import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A list of recycled cells with prefetching, a screen for one large image, and a poster, which is a subscription. All of them load images
/// over an unreliable network.
@MainActor final class Feed {
  private static let rows = 20

  private let stress: StressTest
  private let cells = (0..<6).map { _ in imageView(16) }
  private let prefetcher = FutureImage.Prefetcher<Int>(fitting: .square(16))
  private var photos: [FutureImage] = []
  /// The row that each cell shows.
  private var shown: [Int?]
  private var top = 0
  private var detail: (view: UIImageView, row: Int)?
  private var poster: (subscription: FutureImage.Subscription, row: Int)?
  private let unused: ReleaseQueue

  private init(_ stress: StressTest, _ unused: ReleaseQueue) {
    (self.stress, self.unused) = (stress, unused)
    shown = cells.map { _ in nil }
    photos = (0..<Self.rows).map { makePhoto($0) }
  }

  /// Runs this test.
  /// - Returns: the faults.
  nonisolated static func mixed(seed: UInt64, each count: Int) -> [String] {
    let web = SimulatedServer(StressTest.pictures, seed: seed)
    let disks = UnreliableTier.Disks(seed: ~seed)
    let (stress, unused) = (StressTest.over(web, disks), ReleaseQueue())
    let feed = MainActor.assumeIsolated { Feed(stress, unused) }
    _ = StressThreads.task { await feed.scroll(seed, count) }
    for number in 0..<scale.actors {
      StressThreads.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 { disturb(stress, unused, &random) }
      }
    }
    _ = StressThreads.task { await stress.replacePictures(on: web, seed) }
    simulator.rest(for: .seconds(600))
    web.makeReliable()
    disks.makeReliable()
    stress.makeReliable()
    _ = StressThreads.task { await feed.refresh() }
    simulator.rest(for: .seconds(600))
    let faults = MainActor.assumeIsolated { feed.faultsAtRest() }
    guard faults.isEmpty else { return faults }
    MainActor.assumeIsolated { feed.leave() }
    unused.release()
    _ = StressThreads.task { await stress.leave() }
    simulator.rest(for: .seconds(600))
    return stress.loader.leftOver + stress.futures.map { "the future of \(stress.name(of: $0)) was not released" }
  }

  private nonisolated static func disturb(_ stress: StressTest, _ unused: ReleaseQueue, _ random: inout SeededGenerator) {
    StressThreads.yieldTurn()
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      StressThreads.note("send a memory warning")
      stress.warnOfMemory()
    case 1:
      StressThreads.note("empty the pool")
      stress.loader.removeCachedPixels()
    case 2, 3:
      StressThreads.note("release views")
      unused.release()
    default: stress.pass(.milliseconds(Int.random(in: 0..<400, using: &random)))
    }
  }

  private func makePhoto(_ row: Int) -> FutureImage {
    let name = StressTest.names[row % StressTest.names.count]
    let policies = stress.policies[name] ?? []
    return stress.make(name, policies[row % policies.count])
  }

  // MARK: What a user does

  private func scroll(_ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      await Task.yield()
      switch Int.random(in: 0..<14, using: &random) {
      case 0:
        StressThreads.note("refresh the feed")
        _ = StressThreads.task { [self] in await refresh() }
      case 1:
        let row = Int.random(in: 0..<Self.rows, using: &random)
        StressThreads.note("another model in row \(row)")
        // The former photo may still be in use.
        unused.add(photos[row])
        photos[row] = makePhoto(row)
        reloadRow(row)
      case 2: open(top + Int.random(in: 0..<cells.count, using: &random))
      case 3: close()
      case 4:
        StressThreads.note("the main actor is busy")
        stress.pass(.milliseconds(Int.random(in: 0..<100, using: &random)))
      case 5: showInPoster(top + Int.random(in: 0..<cells.count, using: &random))
      case 6:
        StressThreads.note("measure the poster")
        poster?.subscription.fitting = .square([16, 64].randomElement(using: &random) ?? 16)
      default: move(to: min(max(top + Int.random(in: -3...5, using: &random), 0), Self.rows - cells.count))
      }
    }
  }

  private func move(to row: Int) {
    StressThreads.note("scroll to \(row)")
    top = row
    for row in top..<top + cells.count where shown[row % cells.count] != row { show(row) }
    let ahead = (top + cells.count..<top + cells.count + 4).filter { $0 < Self.rows }
    prefetcher.prefetch(ahead) { photos[$0] }
    prefetcher.cancel((0..<Self.rows).filter { !ahead.contains($0) })
  }

  private func reloadRow(_ row: Int) {
    if shown.contains(row) { show(row) }
    if detail?.row == row { detail?.view.futureImage = photos[row] }
    if poster?.row == row { showInPoster(row) }
  }

  private func show(_ row: Int) {
    shown[row % cells.count] = row
    stress.bindings.bind(cells[row % cells.count], to: photos[row], look: row % 3 == 0 ? row : nil)
  }

  private func open(_ row: Int) {
    close()
    StressThreads.note("open \(row)")
    let view = imageView(64)
    detail = (view, row)
    view.futureImage = photos[row]
  }

  /// Shows the row in the poster. The former subscription ends on the thread that releases it last.
  private func showInPoster(_ row: Int) {
    StressThreads.note("show \(row) in the poster")
    let fitting = poster?.subscription.fitting
    if let former = poster?.subscription { unused.add(former) }
    poster = (FutureImage.Subscription(of: photos[row], fitting: fitting), row)
  }

  /// Closes the screen for the large image. The screen's view is deallocated on the thread that releases it last.
  private func close() {
    guard let view = detail?.view else { return }
    StressThreads.note("close")
    detail = nil
    unused.add(view)
  }

  private func refresh() async { _ = await photos.reload() }

  private func leave() {
    prefetcher.cancelAll()
    close()
    poster?.subscription.end()
    poster = nil
    for cell in cells { cell.image = nil }
    photos = []
  }

  // MARK: At rest

  private func faultsAtRest() -> [String] {
    var places: [(view: UIImageView, row: Int)] = []
    for (cell, row) in zip(cells, shown) { if let row { places.append((cell, row)) } }
    if let detail { places.append(detail) }
    return places.compactMap { fault(of: $0.view, $0.row) } + stress.bindings.faults(cells) + [faultOfPoster()].compactMap(\.self)
  }

  private func fault(of view: UIImageView, _ row: Int) -> String? {
    if view.futureImage != nil { return "row \(row) waits, and its photo is \(photos[row].phase)" }
    return fault(of: view.image, in: Int(view.bounds.width), row)
  }

  private func faultOfPoster() -> String? {
    guard let poster, case .fit(let box) = poster.subscription.fitting else { return nil }
    return fault(of: poster.subscription.image, in: box.width, poster.row).map { "the poster: \($0)" }
  }

  private func fault(of image: UIImage?, in width: Int, _ row: Int) -> String? {
    guard let image, let pixels = image.cgImage else { return "row \(row) shows nothing" }
    let newest = StressTest.color(stress.name(of: photos[row]), version: StressTest.lastVersion)
    if !newest.isNearly(image.color) { return "row \(row) shows \(String(describing: image.color)) instead of \(newest)" }
    // The image must have at least as many pixels as the view, and at most as many as the image at full size.
    let isEnough = pixels.width >= width && pixels.width <= 64
    return isEnough ? nil : "row \(row) shows \(pixels.width) pixels in \(width)"
  }
}
