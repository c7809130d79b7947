import FutureImage

/// Six hundred cells with photos of many megapixels, each decoded at the size of its cell.
final class HighResolutionCollectionViewController: UICollectionViewController {
  /// A photo with a separate key for each cell, so that no two cells share an image.
  private final class Photo {
    private let source: FutureImage.Source
    private(set) lazy var image = FutureImage(source)

    init(_ url: URL, row: Int) { source = .url(url, key: "\(url)-\(row)") }
  }

  private let photos = (0..<600).map { Photo(Samples.highResolution[$0 % Samples.highResolution.count], row: $0) }

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "High Resolution"
    setUpActions()
  }

  override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { photos.count }

  override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    let cell = view.dequeueReusableCell(withReuseIdentifier: "HighResolution", for: path)
    (cell as? PhotoCell)?.imageView.futureImage = photos[path.item].image
    return cell
  }

  override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
    guard let detail = segue.destination as? DetailImageViewController else { return }
    detail.photo = collectionView.indexPathsForSelectedItems?.first.map { photos[$0.item].image }
  }
}
