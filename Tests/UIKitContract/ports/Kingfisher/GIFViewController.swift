import FutureImage

/// One animation in two image views, which both play it and share its frames.
final class GIFViewController: UIViewController {
  @IBOutlet private var imageView: UIImageView!
  @IBOutlet private var animatedImageView: UIImageView!

  override func viewDidLoad() {
    super.viewDidLoad()
    let animation = FutureImage(at: Samples.animated[2])
    imageView.futureImage = animation
    animatedImageView.futureImage = animation
  }
}
