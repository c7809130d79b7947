import CGtk
import Foundation
import FutureImage
import Storefront

/// A tour that goes through the shop automatically, takes a screenshot at each step, and reports the cost.
@MainActor
final class Tour {
  let window: ShopWindow
  let store: Store
  let items: [Item]
  private let screenshots: URL
  private let meter: FrameMeter?
  private let began = ContinuousClock.now
  private var step = 0
  /// The time from the start of the tour at which every wait ends. `Demo/run` ends the program after 58 seconds, so a wait that takes too
  /// long can still write its screenshot and its error.
  private static let timeLimit = Duration.seconds(54)
  private(set) var retriesByHand = 0
  /// The number of frames after the reload of the feed in which a cell lacked the image that it had shown before.
  private(set) var placeholderFrames = 0
  /// The number of images that were shown in a second size, in addition to their thumbnail.
  private(set) var sharpened = 0

  /// A fault that the tour found.
  struct Fault: LocalizedError {
    let errorDescription: String?
    init(_ text: String) { errorDescription = text }
  }

  init(_ window: ShopWindow, _ store: Store, _ items: [Item], screenshots: URL) {
    self.window = window
    self.store = store
    self.items = items
    self.screenshots = screenshots
    meter = FrameMeter(window: window.widget)
  }

  func run() async throws {
    try FileManager.default.createDirectory(at: screenshots, withIntermediateDirectories: true)
    // A wait that takes too long writes this file. If the file remained from an earlier tour, it would suggest that this tour failed, too.
    try? FileManager.default.removeItem(at: screenshots.appendingPathComponent("missing.png"))
    window.turnsAtOnce = true
    guard let grid = window.grid, let meter else { throw Fault("The window has no grid.") }
    let status = Task { await window.keepStatus(of: store, items: items.count) }
    defer { status.cancel() }

    try await seeArrival(in: grid)
    try await retryTheFailed(in: grid)
    try await seeMotion(in: grid)
    try await scroll(grid, to: 1, seconds: 7)
    try await settle(grid, "the last prints")
    try await shoot("end")
    try await scroll(grid, to: 0, seconds: 4)
    try await settle(grid, "the first prints after scrolling back")
    try await shoot("back-at-top")
    try await visitDetail(from: grid)
    try await checkEveryItem()
    try await reloadFeed(in: grid)
    try checkForRepeatedWork()
    let summary = Summary(tour: self, grid: grid, meter: meter, duration: .now - began)
    try await visitSettings(from: grid)
    print(summary.text)
  }
}

// MARK: Steps

extension Tour {
  /// Shows the first screen while the shop holds two images, so that all states of a cell are visible at the same time.
  private func seeArrival(in grid: PrintGrid) async throws {
    try await wait("one print that is ready, one that loads, one that failed, and one that waits, on the first screen") {
      let states = Set(grid.visibleCells.map(\.state))
      return states.isSuperset(of: [.placeholder, .progress, .failed, .picture])
        && grid.visibleCells.count { $0.state == .picture } > grid.visibleCells.count / 2
    }
    try await shoot("arriving")
    store.shop.release()
  }

  private func retryTheFailed(in grid: PrintGrid) async throws {
    for cell in grid.visibleCells where cell.state == .failed {
      cell.clickRetry()
      retriesByHand += 1
    }
    try await settle(grid, "the first prints")
    try await shoot("ready")
  }

  /// Checks that the animated print moves, in the grid and on its page.
  private func seeMotion(in grid: PrintGrid) async throws {
    guard let cell = grid.visibleCells.first(where: { $0.item?.id == Shop.animatedItem }) else {
      throw Fault("The animated print is not on the first screen.")
    }
    try await watch(cell.imageView, "the animated print")
    grid.activate(Shop.animatedItem - 1)
    try await wait("the animated print's page") { self.window.detail.imageView.futureImage == nil }
    try await watch(window.detail.imageView, "the animated print on its page")
    try await shoot("animated")
    sharpened += 1
    window.back()
    try await wait("the grid") { !self.window.isShowingDetail && !self.window.isTurning }
  }

  /// Compares the images that a view draws at each frame of the window's clock, until the view has drawn five different images.
  private func watch(_ view: PictureView, _ what: String) async throws {
    var seen: [CGImage] = []
    func isNew(_ image: CGImage) -> Bool {
      !seen.contains { other in image.withRGBA { pixels in other.withRGBA { pixels.elementsEqual($0) } } }
    }
    try await wait("\(what) to move") {
      if let drawn = view.drawn, drawn !== seen.last, isNew(drawn) { seen.append(drawn) }
      return seen.count == 5
    } orSay: {
      "drew \(seen.count) of five frames"
    }
  }

  /// Opens the page of a large photo, and checks that the page shows the thumbnail first and then a sharper image. Then shows a close-up,
  /// and goes back.
  private func visitDetail(from grid: PrintGrid) async throws {
    guard let cell = grid.visibleCells.first(where: { ($0.item?.width ?? 0) > 2_000 }), let item = cell.item else {
      throw Fault("None of the first prints is large enough to sharpen.")
    }
    let page = window.detail
    let thumbnail = cell.imageView.drawn
    grid.activate(item.id - 1)
    guard window.isShowingDetail, page.imageView.drawn === thumbnail else {
      throw Fault("The page of \(item.title) does not begin with the thumbnail of the grid.")
    }
    try await shoot("detail-opened")
    try await wait("the large image of \(item.title)") { page.imageView.futureImage == nil && page.imageView.image != nil }
    try await wait("the carousel of \(item.title)") { page.carousel.views.allSatisfy { $0.futureImage == nil && $0.image != nil } }
    guard let large = page.imageView.image?.cgImage, large.width > (thumbnail?.width ?? 0) else {
      throw Fault("The large image of \(item.title) is no sharper than its thumbnail.")
    }
    try await shoot("detail")
    sharpened += 1
    page.carousel.onChoose?(2)
    try await wait("a close-up of \(item.title)") { page.imageView.futureImage == nil && page.imageView.image != nil }
    try await shoot("close-up")
    sharpened += 1
    window.back()
    try await wait("the grid") { !self.window.isShowingDetail && !self.window.isTurning }
    try await settle(grid, "the first prints after going back")
    try await shoot("back-from-detail")
  }

  /// Checks that every print's image has arrived, except for images that cannot arrive. Checks that no image was requested more often than
  /// its ``Outcome`` requires.
  private func checkEveryItem() async throws {
    let futures = items.map { ($0, $0.primaryImage) }
    try await wait("the images that were never on the screen", seconds: 30) {
      !futures.contains { $0.1.phase.lacksBytes }
    }
    for (item, future) in futures {
      let outcome = Outcome(ofItem: item.id)
      if case .failed(let failure) = future.phase {
        guard outcome.isFinal else { throw Fault("Print \(item.id), \(item.title), has failed: \(failure.localizedDescription)") }
      } else if outcome.isFinal {
        throw Fault("Print \(item.id), \(item.title), cannot arrive, but its future has an image.")
      }
      let asked = store.shop.requests(of: future.key)
      if let enough = outcome.requests, asked != enough {
        throw Fault("Print \(item.id), \(item.title), was requested \(asked) times instead of \(enough) times.")
      }
    }
  }

  /// Reloads the feed, which creates new models with new futures. Checks that the screen does not change.
  private func reloadFeed(in grid: PrintGrid) async throws {
    let shown = grid.visibleCells.filter { $0.state == .picture }
    let before = store.loader.statistics
    grid.replace(with: try await store.reloadedItems())
    var frames = 0
    await eachFrame(of: window.widget) { _ in
      if shown.contains(where: { $0.state != .picture }) { self.placeholderFrames += 1 }
      frames += 1
      return frames < 60
    }
    try await shoot("feed-loaded-again")
    guard placeholderFrames == 0 else { throw Fault("Images were missing in \(placeholderFrames) frames after the feed was reloaded.") }
    guard store.loader.statistics.requests <= before.requests + store.loader.statistics.retries - before.retries else {
      throw Fault("Images were requested again after the feed was reloaded.")
    }
  }

  /// Checks that no image was requested again, except for retries, and that no pixels were decoded again, unless some were evicted.
  private func checkForRepeatedWork() throws {
    let loader = store.loader.statistics
    let needed = store.shop.picturesAskedFor + loader.retries
    let requests = store.shop.pictureRequests
    guard requests <= needed else { throw Fault("\(requests) requests were made instead of \(needed).") }
    guard loader.evictions > 0 || loader.decodes <= differentPixels else {
      throw Fault("\(loader.decodes) decodes were made instead of \(differentPixels).")
    }
  }

  /// Shows a close-up that loads over a slow network, then clears the caches. This is the last step, because the other steps depend on the
  /// caches.
  private func visitSettings(from grid: PrintGrid) async throws {
    window.openSettings()
    guard let settings = window.settings, window.isShowingSettings else { throw Fault("The settings do not open.") }
    try await wait("the sizes of the caches") { settings.sizes.diskBytes > 0 && settings.sizes.pixelBytes > 0 }
    let full = settings.sizes
    settings.turnSlow(true)
    try await shoot("settings")
    window.back()
    guard let id = grid.visibleCells.compactMap({ $0.item?.id }).last else { throw Fault("The grid is empty.") }
    grid.activate(id - 1)
    guard store.shop.isSlow, window.detail.carousel.views.contains(where: { $0.futureImage != nil }) else {
      throw Fault("On a slow network, the close-ups of print \(id) arrive at once.")
    }
    try await shoot("slow-network")
    try await wait("the close-ups of print \(id)") { self.window.detail.carousel.views.allSatisfy { $0.futureImage == nil } }
    await store.loader.waitUntilIdle()
    window.back()
    try await wait("the grid") { !self.window.isShowingDetail && !self.window.isTurning }
    window.openSettings()
    settings.turnSlow(false)
    settings.clickClear()
    try await wait("the caches to be cleared") { settings.sizes.diskCount == 0 && settings.sizes.pixelBytes < full.pixelBytes }
    try await shoot("cleared")
    guard !store.shop.isSlow else { throw Fault("The network stays slow.") }
  }

  /// The most decodes that the tour needs if no pixels are evicted: one for each image that was requested, and one more for each image that
  /// was shown in a second size.
  var differentPixels: Int { store.shop.picturesAskedFor + sharpened }
}

// MARK: Helpers

extension Tour {
  /// Waits until every visible cell shows its image, or its failure if the image never arrives.
  private func settle(_ grid: PrintGrid, _ what: String) async throws {
    func isRight(_ cell: PrintCell) -> Bool {
      cell.item.map { cell.state == (Outcome(ofItem: $0.id).isFinal ? .failed : .picture) } ?? false
    }
    try await wait(what) {
      !grid.visibleCells.isEmpty && grid.visibleCells.allSatisfy(isRight)
    } orSay: {
      grid.visibleCells.filter { !isRight($0) }.map { "\($0.item?.id ?? 0) shows \($0.state)" }.joined(separator: ", ")
    }
  }

  private func scroll(_ grid: PrintGrid, to end: Double, seconds: Double) async throws {
    let start = grid.scrolled
    var began: gint64?
    meter?.isMoving = true
    await eachFrame(of: window.widget) { now in
      let time = Double(now - (began ?? now)) / 1_000_000 / seconds
      began = began ?? now
      let eased = time < 1 ? time * time * (3 - 2 * time) : 1
      grid.scrolled = start + (end - start) * eased
      return time < 1
    }
    meter?.isMoving = false
  }

  /// Checks the condition at each frame until it is true. Throws a fault if that takes too long.
  private func wait(
    _ what: String, seconds: Double = 12, _ condition: @escaping @MainActor () -> Bool, orSay why: @MainActor () -> String = { "" }
  ) async throws {
    let limit = min(.now + .seconds(seconds), began + Self.timeLimit)
    var holds = false
    await eachFrame(of: window.widget) { _ in
      holds = condition()
      return !holds && .now < limit
    }
    guard holds else {
      let reason = why()
      try? await shoot(as: "missing.png")
      throw Fault("It took too long: \(what)." + (reason.isEmpty ? "" : " Print \(reason)."))
    }
  }

  /// Takes a numbered screenshot, so that the files are in the order of the steps.
  private func shoot(_ name: String) async throws {
    step += 1
    try await shoot(as: "\(step)-\(name).png")
  }

  private func shoot(as name: String) async throws {
    let file = screenshots.appendingPathComponent(name)
    // GTK lays out a change in the first frame, and draws it in the next frame.
    try await afterNextFrame(of: window.widget) {}
    try await afterNextFrame(of: window.widget) { [window] in try capture(window.widget, to: file) }
    print("\(file.path)")
  }
}

extension FutureImage.Phase {
  /// Whether bytes are still missing.
  fileprivate var lacksBytes: Bool {
    switch self {
    case .waiting, .loading: true
    case .fetched, .ready, .failed: false
    }
  }
}
