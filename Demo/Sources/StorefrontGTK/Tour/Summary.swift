import Foundation
import FutureImage

/// The figures of the tour.
@MainActor
struct Summary {
  let text: String

  init(tour: Tour, grid: PrintGrid, meter: FrameMeter, duration: Duration) {
    let (store, statistics) = (tour.store, tour.store.loader.statistics)
    let shop = store.shop
    let rows: [(String, String)] = [
      ("items", "\(tour.items.count)"),
      ("cells made", "\(grid.cellsMade)"),
      ("binds", "\(grid.binds)"),
      ("requests", "\(shop.pictureRequests) for \(shop.picturesAskedFor) images"),
      ("joined", "\(statistics.joined)"),
      ("pool hits", "\(statistics.poolHits)"),
      ("disk hits", "\(statistics.diskHits)"),
      ("decodes", "\(statistics.decodes); at most \(tour.differentPixels) if no pixels are evicted; \(statistics.evictions) evictions"),
      ("failures", "\(statistics.failures)"),
      ("retries", "\(statistics.retries), \(tour.retriesByHand) of them by a click"),
      ("placeholder frames after the feed was reloaded", "\(tour.placeholderFrames)"),
      ("bytes received", ByteCount.text(statistics.bytesReceived)),
      ("pixels in memory", "\(ByteCount.text(store.loader.pixelBytes)) of \(ByteCount.text(store.loader.configuration.maxPixelBytes))"),
      ("longest stretch of FutureImage on the main thread", Self.milliseconds(statistics.longestMainStretch)),
      ("longest turn of the main loop, including drawing", Self.milliseconds(meter.longestTurn)),
      ("dropped frames", "\(meter.dropped) of \(meter.frames + meter.dropped) while scrolling"),
      ("time", "\(Int(duration / .seconds(1))) s")
    ]
    let width = rows.map(\.0.count).max() ?? 0
    text = rows.map { $0.0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.1 }.joined(separator: "\n")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .microseconds(100))
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
