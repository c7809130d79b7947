import CReference
import FutureImage

/// A fling through a grid of recycled cells at sixty frames a second. All images are fetched for the first time.
extension Benchmark {
  static let scroll = Benchmark(name: "scroll") {
    let scratch = try Scratch()
    let files = scratch.folder("files")
    let names = try Pictures.servePhotos(600, in: files)
    let nginx = try Nginx(serving: files, scratch: scratch)
    let urls = try names.map(nginx.url)
    var stretches: [Double] = []
    var wallStretches: [Double] = []
    var dropped: [Double] = []
    var waits: [Double] = []
    for _ in 1...Effort.rounds(3) {
      let loader = FutureImage.Loader.fresh(disk: scratch.folder())
      let fling = Fling(urls, loader)
      await fling.run()
      stretches.append(max(fling.longestBind, loader.statistics.longestMainWork / .seconds(1)))
      wallStretches.append(loader.statistics.longestMainStretch / .seconds(1))
      dropped.append(Double(fling.dropped))
      waits += fling.waits
    }
    return [
      Row(
        "scroll, longest stretch on the main thread", stretches, limit: 1, unit: "ms", scale: 1e3,
        note: "of processor time; in wall time, with other threads and processes: \(Table.text(wallStretches.median * 1e3)) ms"),
      Row("scroll, dropped frames of \(Fling.frames)", dropped, limit: nil, unit: "frames"),
      Row(
        "scroll, from bind to image", waits, limit: nil, unit: "ms", scale: 1e3,
        note: "\(waits.count) images that were still on screen when they arrived; nine of ten within \(Int(waits.quantile(0.9) * 1e3)) ms")
    ]
  }
}

/// A grid with four columns of cells of 160 points, on a screen that shows five rows. The grid scrolls from the first row to the last.
@MainActor private final class Fling {
  static let frames = 240
  private static let (columns, rows) = (4, 5)

  private let futures: [FutureImage]
  private let cells: [ImageViews.Frame]
  private let gallery: ImageViews
  /// The index of the image that each cell shows, or -1 if the cell has not shown an image.
  private var shown: [Int]
  /// The time since which each cell waits for its image; nil if the cell waits for no image.
  private var since: [Double?]

  private(set) var longestBind = 0.0
  /// The number of times at which a new frame was due but was not drawn.
  private(set) var dropped = 0
  private(set) var waits: [Double] = []

  init(_ urls: [URL], _ loader: FutureImage.Loader) {
    futures = urls.map { FutureImage(at: $0, loader: loader) }
    gallery = ImageViews(Self.columns * (Self.rows + 1), side: 160)
    cells = gallery.views
    shown = cells.map { _ in -1 }
    since = cells.map { _ in nil }
    // Nothing waits until all cells show their images, so the cells need not report their changes.
    for cell in cells { cell.gallery = nil }
  }

  func run() async {
    let start = reference_wall_seconds()
    var last = 0
    for frame in 0..<Self.frames {
      let due = start + Double(frame) / 60
      let wait = due - reference_wall_seconds()
      if wait > 0 { try? await Task.sleep(for: .seconds(wait)) }
      let now = Int((reference_wall_seconds() - start) * 60)
      dropped += max(0, now - max(last + 1, frame))
      last = max(now, frame)
      draw(Double(frame) / Double(Self.frames))
    }
  }

  private func draw(_ part: Double) {
    let now = reference_wall_seconds()
    let before = reference_thread_seconds()
    for (index, cell) in cells.enumerated() where cell.isSharp {
      if let bindTime = since[index] { waits.append(now - bindTime) }
      since[index] = nil
    }
    let eased = part * part * (3 - 2 * part)
    let top = Int(eased * Double(futures.count / Self.columns - Self.rows))
    for item in (top * Self.columns)..<min(futures.count, (top + Self.rows + 1) * Self.columns) {
      let place = item % cells.count
      guard shown[place] != item else { continue }
      shown[place] = item
      since[place] = reference_wall_seconds()
      cells[place].futureImage = futures[item]
    }
    longestBind = max(longestBind, reference_thread_seconds() - before)
  }
}
