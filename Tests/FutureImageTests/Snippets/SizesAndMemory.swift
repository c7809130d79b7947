import Foundation
import FutureImage
import Testing

@MainActor enum SizesAndMemorySnippets {
  static func manySizes(_ item: Item, _ listView: UIImageView, _ detailView: UIImageView) async throws -> UIImage {
    listView.futureImage = item.photo
    detailView.futureImage = item.photo
    let card = try await item.photo.value(fitting: .fill(width: 600, height: 315))
    let exact = try await item.photo.value(resizedTo: FutureImage.PixelSize(width: 600, height: 315), .fill)
    return card.size == exact.size ? card : exact
  }

  // The declarations of UIKit that the page uses and the stand-in lacks. They only let the compiler check the calls of the library.

  @MainActor class UIViewController {
    let view = UIView()

    init(nibName: String?, bundle: Bundle?) {}
    required init?(coder: NSCoder) { nil }

    func viewDidLoad() {}
    func viewDidLayoutSubviews() {}
  }

  @MainActor protocol UIScrollViewDelegate: AnyObject {}

  @MainActor final class UIScrollView: UIView {
    weak var delegate: (any UIScrollViewDelegate)?
    var maximumZoomScale: CGFloat = 1
    var zoomScale: CGFloat = 1
  }

  final class PhotoViewController: UIViewController, UIScrollViewDelegate {
    let photo: FutureImage
    let scrollView = UIScrollView()
    let imageView = UIImageView()

    init(_ photo: FutureImage) {
      self.photo = photo
      super.init(nibName: nil, bundle: nil)
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      scrollView.delegate = self
      scrollView.maximumZoomScale = 8
      scrollView.addSubview(imageView)
      view.addSubview(scrollView)
      imageView.contentMode = .scaleAspectFit
      imageView.futureImage = photo
    }

    override func viewDidLayoutSubviews() {
      super.viewDidLayoutSubviews()
      scrollView.frame = view.bounds
      if scrollView.zoomScale == 1 { imageView.frame = scrollView.bounds }
      photo.measureViews()
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? { imageView }

    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
      photo.measureViews()
    }

    required init?(coder: NSCoder) { nil }
  }

  static func sized(_ url: URL) -> [FutureImage] {
    let photo = FutureImage(at: url, size: CGSize(width: 320, height: 240))
    let disc = FutureImage(at: url, size: CGSize(width: 320, height: 240), transform: .circle)
    return [photo, disc]
  }

  static func transformed(_ url: URL) -> [FutureImage] {
    let tile = FutureImage(
      at: url, transform: .resize(to: CGSize(width: 160, height: 120), .fill).then(.roundedCorners(8)))
    let framed = FutureImage(at: url, transform: .crop(toRatio: 16 / 9, anchor: CGPoint(x: 0.5, y: 0)).then(.blur(4)))
    let portrait = FutureImage(at: url, transform: .circle.then(.border(2, .white, radius: .infinity)))
    let faded = FutureImage(at: url, transform: .colorControls(brightness: 0.1, saturation: 0.5))
    return [tile, framed, portrait, faded]
  }

  static func inventory(_ loader: FutureImage.Loader) {
    print(loader.inventory)
  }

  @MainActor static func control(_ item: Item) {
    item.photo.player?.isPaused = true
    item.photo.player?.time = 0
  }

  static func still(_ configuration: inout FutureImage.Loader.Configuration) {
    configuration.decodingLimits.maxFrames = 1
  }

  static func sharpen(_ view: UIImageView, _ item: Item) {
    view.display(item.photo, .init(previewInterval: .milliseconds(200)))
  }
}

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SizesAndMemoryPage {
  @Test func `before its image loads, a future with a known size already has the size after its transform`() throws {
    let sizes = SizesAndMemorySnippets.sized(try #require(URL(string: "data:,"))).map(\.size)
    #expect(sizes == [CGSize(width: 320, height: 240), CGSize(width: 240, height: 240)])
  }
}
