import FutureImage

/// A grid whose images are fetched each time they are shown, with one of four indicators.
final class IndicatorCollectionViewController: UICollectionViewController {
  private enum Indicator: String, CaseIterable {
    case none = "None"
    case activity = "UIActivityIndicatorView"
    case animation = "GIF Image"
    case custom = "Custom"

    @MainActor var presented: FutureImage.Presentation.Indicator? {
      switch self {
      case .none: nil
      case .activity: .activity
      case .animation:
        .custom {
          let view = UIImageView()
          view.futureImage = Self.loader
          return view
        }
      case .custom: .custom { Pulse() }
      }
    }

    @MainActor private static let loader = Bundle.main.url(forResource: "loader", withExtension: "gif").map { FutureImage(.file($0)) }
  }

  private final class Pulse: UIView {
    override var intrinsicContentSize: CGSize { CGSize(width: 30, height: 30) }

    override func didMoveToWindow() {
      super.didMoveToWindow()
      backgroundColor = .red
      UIView.animate(withDuration: 0.3, delay: 0, options: [.repeat, .autoreverse]) { self.backgroundColor = .orange }
    }
  }

  private var indicator = Indicator.activity {
    didSet { collectionView.reloadData() }
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    setUpActions(Indicator.allCases.map { choice in UIAction(title: choice.rawValue) { [weak self] _ in self?.indicator = choice } })
  }

  override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { Samples.loading.count }

  override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    let cell = view.dequeueReusableCell(withReuseIdentifier: "IndicatorCell", for: path)
    let photo = FutureImage(at: Samples.loading[path.item], cachePolicy: .modelOnly)
    (cell as? PhotoCell)?.imageView.display(photo, .init(indicator: indicator.presented))
    return cell
  }
}
