import FutureImage

/// A grid of four columns that prefetches, can be refreshed, and can use another loader.
final class PrefetchingViewController: UICollectionViewController, UICollectionViewDataSourcePrefetching {
  private struct Photo {
    @FutureImage.FromURL var image: FutureImage
    init(_ url: URL, _ loader: FutureImage.Loader) { _image = FutureImage.FromURL("\(url)", loader: loader) }
  }

  private final class Cell: UICollectionViewCell {
    lazy var imageView = makeImageView()

    private func makeImageView() -> UIImageView {
      let view = UIImageView(frame: contentView.bounds)
      view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      view.contentMode = .scaleAspectFill
      view.clipsToBounds = true
      contentView.addSubview(view)
      return view
    }
  }

  private let urls: [URL]
  private let itemsPerRow: CGFloat = 4
  private let prefetcher = FutureImage.Prefetcher<IndexPath>()
  private lazy var photos = urls.map { Photo($0, loader) }
  private var loader = FutureImage.Loader.shared

  init(_ urls: [URL]) {
    self.urls = urls
    super.init(collectionViewLayout: UICollectionViewFlowLayout())
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    collectionView.backgroundColor = .systemBackground
    collectionView.register(Cell.self, forCellWithReuseIdentifier: "photo")
    collectionView.prefetchDataSource = self
    collectionView.refreshControl = UIRefreshControl()
    collectionView.refreshControl?.addTarget(self, action: #selector(refresh), for: .valueChanged)
    let noDiskCache = UIAction(title: "No Disk Cache") { [weak self] _ in self?.load { $0.diskCache = nil } }
    navigationItem.rightBarButtonItem = UIBarButtonItem(title: "Configuration", menu: UIMenu(children: [noDiskCache]))
  }

  override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    guard let layout = collectionViewLayout as? UICollectionViewFlowLayout else { return }
    layout.minimumLineSpacing = 2
    layout.minimumInteritemSpacing = 2
    let side = (view.bounds.width - (itemsPerRow - 1) * 2) / itemsPerRow
    layout.itemSize = CGSize(width: side, height: side)
  }

  override func viewWillDisappear(_ animated: Bool) {
    super.viewWillDisappear(animated)
    prefetcher.cancelAll()
  }

  override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { photos.count }

  override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    let cell = view.dequeueReusableCell(withReuseIdentifier: "photo", for: path)
    cell.backgroundColor = .secondarySystemBackground
    (cell as? Cell)?.imageView.display(photos[path.item].image, .init(transition: .fade(seconds: 0.25)))
    return cell
  }

  func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
    prefetcher.prefetch(paths) { photos[$0.item].image }
    print("prefetch: \(paths.map(\.item))")
  }

  func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
    prefetcher.cancel(paths)
    print("cancel: \(paths.map(\.item))")
  }

  private func load(_ change: (inout FutureImage.Loader.Configuration) -> Void) {
    var configuration = FutureImage.Loader.Configuration()
    change(&configuration)
    loader = FutureImage.Loader(configuration)
    photos = urls.map { Photo($0, loader) }
    collectionView.reloadData()
  }

  @objc private func refresh() {
    collectionView.reloadData()
    collectionView.refreshControl?.endRefreshing()
  }
}
