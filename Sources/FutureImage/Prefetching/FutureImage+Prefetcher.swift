extension FutureImage {
  /// The prefetches of a list, for the prefetching data source of a table view or a collection view.
  ///
  ///     func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
  ///       prefetcher.prefetch(paths.compactMap { dataSource.itemIdentifier(for: $0) }) { $0.photo }
  ///     }
  ///     func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
  ///       prefetcher.cancel(paths.compactMap { dataSource.itemIdentifier(for: $0) })
  ///     }
  ///
  /// Index paths may serve as rows if no row is ever inserted or removed, or if you call ``cancelAll()`` at each such change.
  @MainActor public final class Prefetcher<Row: Hashable> {
    private let fitting: Fitting?
    private var prefetches: [Row: Prefetch] = [:]

    /// - Parameter fitting: the pixels to decode; nil to fetch only the bytes.
    public init(fitting: Fitting? = nil) {
      self.fitting = fitting
    }

    /// Prefetches the rows' images. If a row already has a prefetch, a new prefetch replaces it.
    public func prefetch<Value: FutureContainer>(_ rows: [Row], _ image: (Row) -> Value) {
      for row in rows { prefetches[row] = Prefetch(Value._conversion.futures(image(row)), fitting: fitting) }
    }

    /// Cancels the rows' prefetches, as ``Prefetch/cancel()`` does.
    public func cancel(_ rows: [Row]) {
      for row in rows { prefetches[row] = nil }
    }

    /// Cancels all prefetches. Call this method when the rows change.
    public func cancelAll() { prefetches = [:] }
  }
}
