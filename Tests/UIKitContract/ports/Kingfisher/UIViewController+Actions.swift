import FutureImage

extension UIViewController {
  /// Adds a menu to the navigation bar. It has actions that empty the caches and reload the grid, and the screen's own actions.
  func setUpActions(_ actions: [UIMenuElement] = []) {
    let clean = UIAction(title: "Clean Cache") { _ in
      FutureImage.Loader.shared.removeCachedPixels()
      Task { try? await FutureImage.DiskCache.standard.removeAll() }
    }
    let reload = UIAction(title: "Reload") { [weak self] _ in (self as? UICollectionViewController)?.collectionView.reloadData() }
    navigationItem.rightBarButtonItem = UIBarButtonItem(title: "Action", menu: UIMenu(children: [clean, reload] + actions))
  }
}
