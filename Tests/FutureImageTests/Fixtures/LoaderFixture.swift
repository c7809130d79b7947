import Foundation
import FutureImageTesting

@testable import FutureImage

/// A loader over a held fetcher or a loopback server, and views to show its images.
struct LoaderFixture: Sendable {
  let held = HeldFetcher()
  private let time = EndingClock()
  private let writeTime = EndingClock()
  let loader: FutureImage.Loader

  /// A shop that does not remember transient failures, so that tests may retry at once.
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
  /// The clock of writes, which wait until the loader is idle.
  var writeClock: ManualClock { writeTime.manual }

  static func url(_ name: String = "a") -> URL { URL(string: "https://shop.test/\(name).jpg") ?? URL(fileURLWithPath: "/") }

  func future(
    _ name: String = "a", placeholder: UIImage? = nil, policy: FutureImage.CachePolicy = .automatic, size: CGSize? = nil
  ) -> FutureImage {
    FutureImage(.url(LoaderFixture.url(name)), placeholder: placeholder.map { .image($0) }, cachePolicy: policy, size: size, loader: loader)
  }

  /// Empties the pool, and returns when the future's pixels have been released. No view may show them. The thread that decoded them may
  /// retain them a moment longer.
  func forgetPixels(of future: FutureImage) async {
    loader.removeCachedPixels()
    while future.phase.name == "ready" { await Task.yield() }
  }

  /// Answers the held requests for the image, and waits until the loader is idle. Runs on the main actor, so that code there, such as the
  /// binding of a view, has ended by then. Otherwise the loader could be idle in the middle of it.
  @MainActor func serve(_ name: String = "a", _ picture: Data = SampleImage.jpeg(1200, 900), headers: [String: String] = [:]) async {
    await held.waitForHeld()
    held.resolve(LoaderFixture.url(name), with: picture, headers: headers)
    await loader.waitForIdle()
  }
}

extension FutureImage.Loader {
  /// Returns when everything that was enqueued for the main actor has been delivered.
  @MainActor func delivered() async {
    await withCheckedContinuation { continuation in deliver { continuation.resume() } }
  }
}

extension FutureImage {
  /// Returns when all reported changes of the future are visible. The thread that schedules a commit may do so after other threads have
  /// reported more.
  @MainActor func committed() async {
    while withReader({ $0.pendingCommit != .none }) == true { await Task.yield() }
  }
}

extension FutureImage.DiskCache {
  /// A disk cache in its own directory.
  static func temporary() -> FutureImage.DiskCache { FutureImage.DiskCache(directory: Scratch.folder()) }
}

@MainActor func imageView(_ width: CGFloat, _ height: CGFloat? = nil) -> UIImageView {
  let view = UIImageView(frame: CGRect(x: 0, y: 0, width: width, height: height ?? width * 3 / 4))
  view.contentMode = .scaleAspectFit
  return view
}
