import FutureImage

/// A large JPEG, progressive or baseline, that is shown while it slowly arrives.
final class ProgressiveDecodingViewController: UIViewController {
  /// A fetcher that reads a file of the app, 10 KiB every tenth of a second.
  private struct SlowFetcher: FutureImage.Fetcher {
    func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
      guard let file = Bundle.main.url(forResource: request.url.lastPathComponent, withExtension: "jpeg") else {
        throw FutureImage.Failure(.status(404))
      }
      let data = try Data(contentsOf: file)
      try receive(.response(FutureImage.Response(status: 200, expectedBytes: data.count)))
      for start in stride(from: 0, to: data.count, by: 10_240) {
        try await Task.sleep(for: .milliseconds(100))
        try receive(.bytes(data[start..<min(start + 10_240, data.count)]))
      }
    }
  }

  private let imageView = UIImageView()
  private let progressLabel = UILabel()
  private var name = "progressive"

  override func viewDidLoad() {
    super.viewDidLoad()
    view.backgroundColor = .systemBackground
    imageView.contentMode = .scaleAspectFill
    imageView.backgroundColor = UIColor.gray.withAlphaComponent(0.15)
    imageView.clipsToBounds = true
    progressLabel.font = .monospacedDigitSystemFont(ofSize: 17, weight: .regular)
    let stack = UIStackView(arrangedSubviews: [imageView, progressLabel])
    stack.axis = .vertical
    stack.spacing = 15
    stack.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(stack)
    NSLayoutConstraint.activate([
      stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 15),
      stack.leadingAnchor.constraint(equalTo: view.leadingAnchor),
      stack.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      imageView.widthAnchor.constraint(equalTo: imageView.heightAnchor, multiplier: 4 / 3)
    ])
    let choices = ["progressive", "baseline"].map { name in UIAction(title: name) { [weak self] _ in self?.start(name) } }
    let refresh = UIAction { [weak self] _ in if let self { start(self.name) } }
    navigationItem.rightBarButtonItems = [
      UIBarButtonItem(systemItem: .refresh, primaryAction: refresh), UIBarButtonItem(title: "JPEG", menu: UIMenu(children: choices))
    ]
    start(name)
  }

  private func start(_ name: String) {
    self.name = name
    title = "\(name.capitalized) JPEG"
    guard let url = URL(string: "https://app.example/\(name)") else { return }
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = SlowFetcher()
    let photo = FutureImage(at: url, cachePolicy: .modelOnly, loader: FutureImage.Loader(configuration))
    imageView.display(
      photo,
      .init(transition: .fade(seconds: 0.25), previewInterval: .milliseconds(200)) { [progressLabel] phase in
        guard case .loading(let fraction?) = phase else { return }
        progressLabel.text = "Downloaded: \(Int((100 * fraction).rounded())) %"
      })
  }
}
