import Foundation

@testable import FutureImage
@testable import FutureImageCache

extension Cache {
  /// Creates a cache that uses the file system, the date, and the notification center of a test.
  convenience init(
    directory: URL?, as coder: CacheCoder<Value>, capacity: CacheCapacity, variants: [Variant], fetching loader: FutureImage.Loader,
    files: any FileSystem, notifications: NotificationCenter, now: @escaping @Sendable () -> Date
  ) {
    self.init(directory: directory, as: coder, capacity: capacity, variants: variants, fetching: loader, notifications: notifications) {
      FutureImage.DiskCache(directory: $0, limits: ($1.diskBytes, $1.diskAge), files: files, now: now)
    }
  }
}
