import Foundation
import FutureImageTesting

@testable import FutureImage

/// A loader with a held fetcher and manual clocks, unless a test configures others.
struct LoaderFixture: Sendable {
  let held = HeldFetcher()
  private let time = EndingClock()
  private let writeTime = EndingClock()
  let loader: FutureImage.Loader

  /// Creates a loader that does not remember transient failures by default, so that tests can retry at once.
  /// - Parameter maxPixelBytes: the limit of the pool, in bytes.
  init(
    disk: FutureImage.DiskCache? = nil, maxPixelBytes: Int = 64 << 20, notifications: NotificationCenter = NotificationCenter(),
    change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.diskCache = disk
    configuration.maxPixelBytes = maxPixelBytes
    configuration.clock = time.manual
    configuration.writes = WriteBehind(clock: writeTime.manual)
    let usual = configuration.retry.transientFailureMemory
    change(&configuration)
    if configuration.retry.transientFailureMemory == usual { configuration.retry.transientFailureMemory = .zero }
    loader = FutureImage.Loader(configuration, notifications: notifications)
  }

  var clock: ManualClock { time.manual }
  /// The clock of the disk writes, which wait until the loader is quiet.
  var writeClock: ManualClock { writeTime.manual }

  static func url(_ name: String = "a") -> URL { URL(string: "https://shop.test/\(name).jpg") ?? URL(fileURLWithPath: "/") }

  func future(
    _ name: String = "a", placeholder: UIImage? = nil, policy: FutureImage.CachePolicy = .automatic, size: CGSize? = nil
  ) -> FutureImage {
    FutureImage(.url(LoaderFixture.url(name)), placeholder: placeholder.map { .image($0) }, cachePolicy: policy, size: size, loader: loader)
  }

  /// Empties the pool, and returns when the future's pixels have been released. The thread that decoded the pixels may retain them for a
  /// moment. Call this method only if no view shows the pixels.
  func forgetPixels(of future: FutureImage) async {
    loader.removeCachedPixels()
    while future.phase.name == "ready" { await Task.yield() }
  }

  /// Answers the held requests for the image, and waits until the loader is idle. This method runs on the main actor, so that the loader
  /// cannot count as idle in the middle of other code on the main actor, such as the binding of a view.
  @MainActor func serve(_ name: String = "a", _ body: Data = SampleImage.jpeg(1200, 900), headers: [String: String] = [:]) async {
    await held.waitForHeld()
    held.resolve(LoaderFixture.url(name), with: body, headers: headers)
    await loader.waitForIdle()
  }
}

extension FutureImage.Loader {
  /// Returns when the main actor has run all work that the loader has delivered so far.
  @MainActor func delivered() async {
    await withCheckedContinuation { continuation in deliver { continuation.resume() } }
  }
}

extension FutureImage {
  /// Returns when all reported changes of the future are visible. This method polls, because one thread may schedule a commit after other
  /// threads have reported further changes.
  @MainActor func committed() async {
    while withReader({ $0.pendingCommit != .none }) == true { await Task.yield() }
  }
}

extension FutureImage.DiskCache {
  /// Returns a disk cache in a directory of its own.
  static func temporary() -> FutureImage.DiskCache { FutureImage.DiskCache(directory: Scratch.folder()) }
}

@MainActor func imageView(_ width: CGFloat, _ height: CGFloat? = nil) -> UIImageView {
  let view = UIImageView(frame: CGRect(x: 0, y: 0, width: width, height: height ?? width * 3 / 4))
  view.contentMode = .scaleAspectFit
  return view
}
