#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import FutureImageTesting
import Testing

/// A loader whose requests are held until the test answers them, and a window for views that show its images.
@MainActor final class Stage {
  let fetcher = HeldFetcher()
  let loader: FutureImage.Loader
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  /// Creates a stage whose window is visible.
  /// - Parameter onEvent: the closure that receives the loader's events.
  init(onEvent: (@Sendable (String, FutureImage.Loader.Event) -> Void)? = nil) {
    var configuration = FutureImage.Loader.Configuration.held(by: fetcher)
    configuration.onEvent = onEvent
    loader = FutureImage.Loader(configuration)
    window.isHidden = false
  }

  func future(_ name: String = "a", placeholder: UIImage? = nil, size: CGSize? = nil) throws -> FutureImage {
    let url = try #require(URL(string: "https://images.test/\(name)"))
    return FutureImage(.url(url), placeholder: placeholder.map { .image($0) }, size: size, loader: loader)
  }

  /// Waits for a held request, answers all held requests, and returns when views show the result.
  func serve(_ data: Data = Pixels.jpeg(640)) async {
    do {
      try await fetcher.waitForHeld()
      fetcher.resolve(with: data)
      try await loader.waitUntilIdle(within: .standard)
    } catch {
      Issue.record(error)
    }
  }

  func makeImageView(_ side: CGFloat = 100) -> UIImageView {
    let view = UIImageView(frame: CGRect(x: 0, y: 0, width: side, height: side))
    view.contentMode = .scaleAspectFit
    window.addSubview(view)
    return view
  }
}
#endif
