import Foundation
import FutureImageTesting

@testable import FutureImage

/// A loader over a held fetcher or a loopback server, and views to show its pictures.
struct Shop: Sendable {
  let held = HeldFetcher()
  private let time = EndingClock()
  private let writeTime = EndingClock()
  let loader: FutureImage.Loader

  /// - Parameter pixelLimit: of the pool, in bytes.
  init(
    disk: FutureImage.DiskCache? = nil, pixelLimit: Int = 64 << 20, notifications: NotificationCenter = NotificationCenter(),
    change: (inout FutureImage.Loader.Configuration) -> Void = { _ in }
  ) {
    var configuration = FutureImage.Loader.Configuration.held(by: held)
    configuration.diskCache = disk
    configuration.pixelLimit = pixelLimit
    configuration.clock = time.manual
    configuration.writes = WriteBehind(clock: writeTime.manual)
    change(&configuration)
    loader = FutureImage.Loader(configuration, notifications: notifications)
  }

  var clock: ManualClock { time.manual }
  /// The time for which writes wait for the loader to be quiet.
  var writeClock: ManualClock { writeTime.manual }

  static func url(_ name: String = "a") -> URL { URL(string: "https://shop.test/\(name).jpg") ?? URL(fileURLWithPath: "/") }

  func future(
    _ name: String = "a", placeholder: UIImage? = nil, policy: FutureImage.CachePolicy = .automatic, size: CGSize? = nil
  ) -> FutureImage {
    FutureImage(.url(Shop.url(name)), placeholder: placeholder, cachePolicy: policy, size: size, loader: loader)
  }

  /// Empties the pool, and returns when the future's pixels are gone, which must be on no screen: the thread that decoded them lets go of
  /// them in its own time.
  func forgetPixels(of future: FutureImage) async {
    loader.emptyPixelPool()
    while future.phase.name == "ready" { await Task.yield() }
  }

  /// Answers what is asked now, and waits until all is quiet. On the main actor: what asked there, a view that was bound for one, has come
  /// to its end by then. Else the loader could be quiet in the midst of it.
  @MainActor func serve(_ name: String = "a", _ picture: Data = Picture.jpeg(1200, 900), headers: [String: String] = [:]) async {
    await held.waitForHeld()
    held.resolve(Shop.url(name), with: picture, headers: headers)
    await loader.settled()
  }
}

extension FutureImage.Loader {
  /// Returns when the main actor has been given all that was there for it.
  @MainActor func delivered() async {
    await withCheckedContinuation { continuation in deliver { continuation.resume() } }
  }
}

extension FutureImage {
  /// Returns when all that was told of it can be seen. Who asks for the main actor's turn may do so later than others tell of more.
  @MainActor func committed() async {
    while state.withLock({ $0.pendingCommit != .none }) { await Task.yield() }
  }
}

extension FutureImage.DiskCache {
  /// In a directory of its own.
  static func temporary() -> FutureImage.DiskCache { FutureImage.DiskCache(directory: Scratch.folder()) }
}

@MainActor func imageView(_ width: CGFloat, _ height: CGFloat? = nil) -> UIImageView {
  let view = UIImageView(frame: CGRect(x: 0, y: 0, width: width, height: height ?? width * 3 / 4))
  view.contentMode = .scaleAspectFit
  return view
}
