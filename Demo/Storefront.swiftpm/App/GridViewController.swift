import FutureImage
import Storefront
import UIKit

/// The shop's prints in recycled cells.
final class GridViewController: UIViewController, UICollectionViewDelegate, UICollectionViewDataSourcePrefetching {
  private enum Section { case prints }

  private lazy var list = UICollectionView(frame: .zero, collectionViewLayout: makeLayout())
  private lazy var source = makeSource()
  private let prefetcher = FutureImage.Prefetcher<IndexPath>()

  override func viewDidLoad() {
    super.viewDidLoad()
    navigationItem.title = "Storefront"
    view.backgroundColor = .systemBackground
    list.frame = view.bounds
    list.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    list.delegate = self
    list.prefetchDataSource = self
    view.addSubview(list)
  }

  func show(_ items: [Item]) {
    var snapshot = NSDiffableDataSourceSnapshot<Section, Item>()
    snapshot.appendSections([.prints])
    snapshot.appendItems(items)
    source.apply(snapshot, animatingDifferences: false)
  }

  func offerSettings(of store: Store) {
    let open = UIAction(title: "Settings", image: UIImage(systemName: "gearshape")) { [weak self] _ in
      self?.navigationController?.pushViewController(SettingsViewController(store), animated: true)
    }
    navigationItem.rightBarButtonItem = UIBarButtonItem(primaryAction: open)
  }

  func complain(_ error: any Error) {
    let alert = UIAlertController(title: "The shop could not be opened", message: error.localizedDescription, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "OK", style: .default))
    present(alert, animated: true)
  }

  func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
    collectionView.deselectItem(at: indexPath, animated: true)
    guard let item = source.itemIdentifier(for: indexPath) else { return }
    navigationController?.pushViewController(DetailViewController(item), animated: true)
  }

  func collectionView(_ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]) {
    prefetcher.prefetch(indexPaths) { source.itemIdentifier(for: $0)?.primaryImage }
  }

  func collectionView(_ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]) {
    prefetcher.cancel(indexPaths)
  }

  private func makeSource() -> UICollectionViewDiffableDataSource<Section, Item> {
    let registration = UICollectionView.CellRegistration<PrintCell, Item> { cell, _, item in cell.show(item) }
    return UICollectionViewDiffableDataSource(collectionView: list) { list, indexPath, item in
      list.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: item)
    }
  }

  private func makeLayout() -> UICollectionViewLayout {
    UICollectionViewCompositionalLayout { _, environment in
      let columns = max(2, Int(environment.container.effectiveContentSize.width / 216))
      let item = NSCollectionLayoutItem(
        layoutSize: NSCollectionLayoutSize(widthDimension: .fractionalWidth(1 / CGFloat(columns)), heightDimension: .estimated(240)))
      let row = NSCollectionLayoutGroup.horizontal(
        layoutSize: NSCollectionLayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(240)),
        repeatingSubitem: item, count: columns)
      row.interItemSpacing = .fixed(20)
      let section = NSCollectionLayoutSection(group: row)
      section.interGroupSpacing = 20
      section.contentInsets = NSDirectionalEdgeInsets(top: 20, leading: 20, bottom: 20, trailing: 20)
      return section
    }
  }
}
