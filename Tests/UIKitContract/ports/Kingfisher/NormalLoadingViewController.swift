import FutureImage

/// A grid that prefetches its images, shows activity indicators until they arrive, and fades them in.
final class NormalLoadingViewController: UICollectionViewController, UICollectionViewDataSourcePrefetching {
  private struct Photo {
    @FutureImage.FromURL var image: FutureImage
    init(_ url: URL) { _image = FutureImage.FromURL("\(url)") }
  }

  private let photos = Samples.loading.map(Photo.init)
  private let prefetcher = FutureImage.Prefetcher<IndexPath>()

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Loading"
    setUpActions()
    collectionView.prefetchDataSource = self
  }

  override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int { photos.count }

  override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath) -> UICollectionViewCell {
    let cell = view.dequeueReusableCell(withReuseIdentifier: "collectionViewCell", for: path)
    let presentation = FutureImage.Presentation(transition: .fade(seconds: 1), indicator: .activity) { phase in
      print("\(path.item + 1): \(phase)")
    }
    (cell as? PhotoCell)?.imageView.display(photos[path.item].image, presentation)
    return cell
  }

  func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
    prefetcher.prefetch(paths) { photos[$0.item].image }
  }

  func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) { prefetcher.cancel(paths) }
}
