// A screen that requests more pixels when the user has zoomed.
import FutureImage

@MainActor final class PhotoViewController: UIViewController, UIScrollViewDelegate {
  private let photo: FutureImage
  private let scrollView = UIScrollView(frame: .zero)
  private let imageView = UIImageView(frame: .zero)

  init(_ photo: FutureImage) {
    self.photo = photo
    super.init(nibName: nil, bundle: nil)
  }
  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    scrollView.delegate = self
    scrollView.maximumZoomScale = 8
    scrollView.addSubview(imageView)
    view.addSubview(scrollView)
    imageView.futureImage = photo
  }
  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    photo.measureViews()
  }
  func viewForZooming(in scrollView: UIScrollView) -> UIView? { imageView }
  func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {
    photo.measureViews()
  }
}
