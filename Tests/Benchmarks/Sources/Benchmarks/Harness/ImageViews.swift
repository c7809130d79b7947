import FutureImage

/// Image views of one size. ``full()`` returns when all of them show their images.
@MainActor final class ImageViews {
  private(set) var views: [Frame] = []
  private var missing = 0
  private var waiting: CheckedContinuation<Void, Never>?

  /// An image view that reports when its image has all the pixels that it needs.
  final class Frame: BareImageView {
    weak var gallery: ImageViews?
    private(set) var isSharp = false

    override var image: UIImage? {
      didSet {
        // As long as the view lacks pixels, its image is the future, or another `FutureImage` that the library sets instead.
        let isSharp = image != nil && !(image is FutureImage)
        guard isSharp != self.isSharp else { return }
        self.isSharp = isSharp
        gallery?.frameChanged(isSharp)
      }
    }
  }

  /// - Parameter side: the side of the square that each image is fitted into, in points. One point is one pixel here.
  init(_ count: Int, side: CGFloat) {
    views = (0..<count).map { _ in
      let view = Frame(frame: CGRect(x: 0, y: 0, width: side, height: side))
      view.contentMode = .scaleAspectFit
      view.gallery = self
      return view
    }
    missing = count
  }

  func show(_ futures: [FutureImage]) {
    for (view, future) in zip(views, futures) { view.futureImage = future }
  }

  /// Returns when every view shows its image with all the pixels that the view needs.
  func full() async {
    guard missing > 0 else { return }
    await withCheckedContinuation { waiting = $0 }
  }

  private func frameChanged(_ isSharp: Bool) {
    missing += isSharp ? -1 : 1
    if missing == 0 {
      waiting?.resume()
      waiting = nil
    }
  }
}
