import Foundation
import FutureImage

/// The figures of the tour.
@MainActor
struct Summary {
  let text: String

  init(tour: Tour, grid: PrintGrid, meter: FrameMeter, duration: Duration) {
    let (store, loader) = (tour.store, tour.store.loader.statistics)
    let shop = store.shop
    let rows: [(String, String)] = [
      ("items", "\(tour.items.count)"),
      ("cells made", "\(grid.cellsMade)"),
      ("binds", "\(grid.binds)"),
      ("requests", "\(shop.pictureRequests) for \(shop.picturesAskedFor) images"),
      ("joined", "\(loader.joined)"),
      ("pool hits", "\(loader.poolHits)"),
      ("disk hits", "\(loader.diskHits)"),
      ("decodes", "\(loader.decodes), of at most \(tour.differentPixels) different pixels; \(loader.evictions) evictions"),
      ("failures", "\(loader.failures)"),
      ("retries", "\(loader.retries), \(tour.retriesByHand) of them by a click"),
      ("placeholder frames after the feed was reloaded", "\(tour.placeholderFrames)"),
      ("bytes received", ByteCount.text(loader.bytesReceived)),
      ("pixels in memory", "\(ByteCount.text(store.loader.pixelBytes)) of \(ByteCount.text(store.loader.configuration.maxPixelBytes))"),
      ("longest stretch of FutureImage on the main thread", Self.milliseconds(loader.longestMainStretch)),
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
