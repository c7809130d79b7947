import Foundation
@testable import FutureImage
@testable import FutureImageCache

extension Cache {
  /// Creates a cache whose disk is a file system of the test, and whose date and notifications are the test's own.
  convenience init(
    directory: URL?, as coder: CacheCoder<Value>, capacity: CacheCapacity, variants: [Variant], fetching loader: FutureImage.Loader,
    files: any FileSystem, notifications: NotificationCenter, now: @escaping @Sendable () -> Date
  ) {
    self.init(directory: directory, as: coder, capacity: capacity, variants: variants, fetching: loader, notifications: notifications) {
      FutureImage.DiskCache(directory: $0, limits: ($1.diskBytes, $1.diskAge), files: files, now: now)
    }
  }
}
