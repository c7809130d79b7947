import FutureImage

/// An image that is shown while it arrives, with a bar for its progress and a button that pauses its animation.
final class DetailViewController: UIViewController {
  private let photo: FutureImage
  private let imageView = UIImageView()
  private let bar = UIProgressView(progressViewStyle: .bar)

  init(_ photo: FutureImage) {
    self.photo = photo
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    for (part, height) in [(imageView, view.bounds.height), (bar, 4)] {
      part.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: height)
      view.addSubview(part)
    }
    imageView.contentMode = .scaleAspectFit
    let toggle = UIAction(title: "Toggle Animation") { [weak self] _ in self?.toggleAnimation() }
    navigationItem.rightBarButtonItem = UIBarButtonItem(primaryAction: toggle)
    bar.observedProgress = photo.progress
    let presentation = FutureImage.Presentation(previewInterval: .milliseconds(200)) { [bar] phase in bar.isHidden = phase.isFinal }
    imageView.display(photo, presentation)
  }

  private func toggleAnimation() {
    photo.player?.isPaused.toggle()
  }
}
