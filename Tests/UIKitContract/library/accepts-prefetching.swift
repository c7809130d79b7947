// Prefetching in tables, in collection views, and by code without a view.
import FutureImage

struct Row: Hashable, Sendable, Decodable {
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var extras: [FutureImage]
}
@MainActor final class TableSource: NSObject, UITableViewDataSourcePrefetching {
  var rows: [Row] = []
  private let prefetcher = FutureImage.Prefetcher<IndexPath>(fitting: .fill(width: 120, height: 120))
  func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) { prefetcher.prefetch(indexPaths) { rows[$0.row].photo } }
  func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]) { prefetcher.cancel(indexPaths) }
}
@MainActor final class GridSource: NSObject, UICollectionViewDataSourcePrefetching {
  var rows: [Row] = []
  private let prefetcher = FutureImage.Prefetcher<IndexPath>()
  func collectionView(_ view: UICollectionView, prefetchItemsAt paths: [IndexPath]) { prefetcher.prefetch(paths) { rows[$0.item].extras } }
  func collectionView(_ view: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) { prefetcher.cancel(paths) }
}
func ahead(_ rows: [Row], _ range: Range<Int>) -> [FutureImage.Prefetch] { [rows[range].prefetch(\.photo), rows[range].prefetch(\.extras)] }
func whole(_ rows: [Row]) async throws -> [UIImage] { try await rows.map(\.photo).images(fitting: .full) }
