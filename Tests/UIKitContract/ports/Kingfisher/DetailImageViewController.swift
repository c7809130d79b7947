import FutureImage

/// An image that can be zoomed, with its size in a label.
final class DetailImageViewController: UIViewController, UIScrollViewDelegate {
  var photo: FutureImage?
  @IBOutlet private var imageView: UIImageView!
  @IBOutlet private var scrollView: UIScrollView!
  @IBOutlet private var infoLabel: UILabel!

  override func viewDidLoad() {
    super.viewDidLoad()
    scrollView.delegate = self
    let presentation = FutureImage.Presentation { [weak self] phase in
      if case .ready(let image) = phase { self?.fit(image.size) }
    }
    imageView.display(photo, presentation)
  }

  func viewForZooming(in scrollView: UIScrollView) -> UIView? { imageView }

  private func fit(_ size: CGSize) {
    infoLabel.text = "\(size)"
    scrollView.minimumZoomScale = min(scrollView.frame.width / size.width, scrollView.frame.height / size.height)
    scrollView.layoutIfNeeded()
    scrollView.zoomScale = scrollView.minimumZoomScale
  }

  func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) { photo?.measureViews() }
}
