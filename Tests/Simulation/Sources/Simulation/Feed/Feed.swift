import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A list of recycled cells with prefetching, a screen for one large image, and a poster that is no view, over an unreliable network.
@MainActor final class Feed {
  private static let rows = 20

  private let fair: Fair
  private let cells = (0..<6).map { _ in imageView(16) }
  private let prefetcher = FutureImage.Prefetcher<Int>(fitting: .square(16))
  private var photos: [FutureImage] = []
  /// The row that each cell shows.
  private var shown: [Int?]
  private var top = 0
  private var detail: (view: UIImageView, row: Int)?
  private var poster: (lease: FutureImage.Lease, row: Int)?
  private let dying: Dying

  private init(_ fair: Fair, _ dying: Dying) {
    (self.fair, self.dying) = (fair, dying)
    shown = cells.map { _ in nil }
    photos = (0..<Self.rows).map { makePhoto($0) }
  }

  /// - Returns: the faults.
  nonisolated static func day(seed: UInt64, each count: Int) -> [String] {
    let web = Web(Fair.pictures, seed: seed)
    let disks = MoodyTier.Weather(seed: ~seed)
    let (fair, dying) = (Fair.over(web, disks), Dying())
    let feed = MainActor.assumeIsolated { Feed(fair, dying) }
    _ = Together.task { await feed.scroll(seed, count) }
    for number in 0..<scale.visitors {
      Together.thread {
        var random = SeededGenerator(seed: seed << 2 + UInt64(number))
        for _ in 0..<count / 4 { disturb(fair, dying, &random) }
      }
    }
    _ = Together.task { await fair.replacePictures(on: web, seed) }
    simulator.rest(for: .seconds(600))
    web.calm()
    disks.calm()
    fair.calm()
    _ = Together.task { await feed.refresh() }
    simulator.rest(for: .seconds(600))
    let faults = MainActor.assumeIsolated { feed.faultsAtRest() }
    guard faults.isEmpty else { return faults }
    MainActor.assumeIsolated { feed.leave() }
    dying.letGo()
    _ = Together.task { await fair.leave() }
    simulator.rest(for: .seconds(600))
    return fair.loader.leftOver + fair.futures.map { "the future of \(fair.name(of: $0)) lives" }
  }

  private nonisolated static func disturb(_ fair: Fair, _ dying: Dying, _ random: inout SeededGenerator) {
    Together.giveWay()
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      Together.note("warn of memory")
      fair.warnOfMemory()
    case 1:
      Together.note("empty the pool")
      fair.loader.emptyPixelPool()
    case 2, 3:
      Together.note("let go of a view")
      dying.letGo()
    default: fair.pass(.milliseconds(Int.random(in: 0..<400, using: &random)))
    }
  }

  private func makePhoto(_ row: Int) -> FutureImage {
    let name = Fair.names[row % Fair.names.count]
    let policies = fair.policies[name] ?? []
    return fair.make(name, policies[row % policies.count])
  }

  // MARK: What a user does

  private func scroll(_ seed: UInt64, _ count: Int) async {
    var random = SeededGenerator(seed: ~seed)
    for _ in 0..<count {
      await Task.yield()
      switch Int.random(in: 0..<14, using: &random) {
      case 0:
        Together.note("refresh the feed")
        _ = Together.task { [self] in await refresh() }
      case 1:
        let row = Int.random(in: 0..<Self.rows, using: &random)
        Together.note("another model in row \(row)")
        // The former photo may still be in use.
        dying.add(photos[row])
        photos[row] = makePhoto(row)
        reloadRow(row)
      case 2: open(top + Int.random(in: 0..<cells.count, using: &random))
      case 3: close()
      case 4:
        Together.note("the main actor is busy")
        fair.pass(.milliseconds(Int.random(in: 0..<100, using: &random)))
      case 5: hang(top + Int.random(in: 0..<cells.count, using: &random))
      case 6:
        Together.note("measure the poster")
        poster?.lease.fitting = .square([16, 64].randomElement(using: &random) ?? 16)
      default: move(to: min(max(top + Int.random(in: -3...5, using: &random), 0), Self.rows - cells.count))
      }
    }
  }

  private func move(to row: Int) {
    Together.note("scroll to \(row)")
    top = row
    for row in top..<top + cells.count where shown[row % cells.count] != row { show(row) }
    let ahead = (top + cells.count..<top + cells.count + 4).filter { $0 < Self.rows }
    prefetcher.prefetch(ahead) { photos[$0] }
    prefetcher.cancel((0..<Self.rows).filter { !ahead.contains($0) })
  }

  private func reloadRow(_ row: Int) {
    if shown.contains(row) { show(row) }
    if detail?.row == row { detail?.view.futureImage = photos[row] }
    if poster?.row == row { hang(row) }
  }

  private func show(_ row: Int) {
    shown[row % cells.count] = row
    fair.bindings.bind(cells[row % cells.count], to: photos[row], look: row % 3 == 0 ? row : nil)
  }

  private func open(_ row: Int) {
    close()
    Together.note("open \(row)")
    let view = imageView(64)
    detail = (view, row)
    view.futureImage = photos[row]
  }

  /// The former lease ends on the thread that releases it last.
  private func hang(_ row: Int) {
    Together.note("hang up \(row)")
    let fitting = poster?.lease.fitting
    if let former = poster?.lease { dying.add(former) }
    poster = (FutureImage.Lease(of: photos[row], fitting: fitting), row)
  }

  /// The view is released on the thread that releases it last.
  private func close() {
    guard let view = detail?.view else { return }
    Together.note("close")
    detail = nil
    dying.add(view)
  }

  private func refresh() async { _ = await photos.reload() }

  private func leave() {
    prefetcher.cancelAll()
    close()
    poster?.lease.end()
    poster = nil
    for cell in cells { cell.image = nil }
    photos = []
  }

  // MARK: At rest

  private func faultsAtRest() -> [String] {
    var places: [(view: UIImageView, row: Int)] = []
    for (cell, row) in zip(cells, shown) { if let row { places.append((cell, row)) } }
    if let detail { places.append(detail) }
    return places.compactMap { fault(of: $0.view, $0.row) } + fair.bindings.faults(cells) + [faultOfPoster()].compactMap(\.self)
  }

  private func fault(of view: UIImageView, _ row: Int) -> String? {
    if view.futureImage != nil { return "row \(row) waits, and its photo is \(photos[row].phase)" }
    return fault(of: view.image, in: Int(view.bounds.width), row)
  }

  private func faultOfPoster() -> String? {
    guard let poster, case .fit(let box) = poster.lease.fitting else { return nil }
    return fault(of: poster.lease.image, in: box.width, poster.row).map { "the poster: \($0)" }
  }

  private func fault(of image: UIImage?, in width: Int, _ row: Int) -> String? {
    guard let image, let pixels = image.cgImage else { return "row \(row) shows nothing" }
    let newest = Fair.colour(fair.name(of: photos[row]), version: Fair.lastVersion)
    if !newest.isNearly(image.colour) { return "row \(row) shows \(String(describing: image.colour)) instead of \(newest)" }
    // At least as many pixels as the view has, and at most those of the image.
    let isEnough = pixels.width >= width && pixels.width <= 64
    return isEnough ? nil : "row \(row) shows \(pixels.width) pixels in \(width)"
  }
}
