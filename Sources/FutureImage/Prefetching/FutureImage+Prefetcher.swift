extension FutureImage {
  /// The prefetches of a list, by whatever names its rows: what a table's or a collection view's data source needs for prefetching.
  ///
  ///     func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
  ///       prefetcher.prefetch(paths) { items[$0.item].photo }
  ///     }
  ///     func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
  ///       prefetcher.cancel(paths)
  ///     }
  @MainActor public final class Prefetcher<Row: Hashable> {
    private let fitting: Fitting?
    private var prefetches: [Row: Prefetch] = [:]

    /// - Parameter fitting: the pixels to make; nil to fetch the bytes only.
    public init(fitting: Fitting? = nil) {
      self.fitting = fitting
    }

    /// Asks for the rows' pictures. A row that is asked for already is asked for anew.
    public func prefetch<Value: Shape>(_ rows: [Row], _ picture: (Row) -> Value) {
      for row in rows { prefetches[row] = Prefetch(picture(row).futures, fitting: fitting) }
    }

    /// Takes the rows' wishes back, as ``Prefetch/cancel()`` does.
    public func cancel(_ rows: [Row]) {
      for row in rows { prefetches[row] = nil }
    }

    /// For when the rows change.
    public func cancelAll() { prefetches = [:] }
  }
}
