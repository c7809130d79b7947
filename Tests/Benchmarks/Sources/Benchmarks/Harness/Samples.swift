import FutureImage

/// Futures for measurements that need no network.
enum Samples {
  static func url(_ index: Int, host: String = "images.example.com") -> URL {
    // A plain number after a plain host always makes a valid URL.
    URL(string: "https://\(host)/prints/\(index)/photo-of-some-length.jpg") ?? URL(filePath: "/")
  }

  /// Returns futures whose images are in the pool.
  static func ready(_ count: Int, in loader: FutureImage.Loader) async throws -> [FutureImage] {
    let data = try Pictures.small(0)
    let futures = (0..<count).map { FutureImage(.data(key: "sample \($0)") { data }, loader: loader) }
    for future in futures { _ = try await future.value }
    await loader.waitUntilIdle()
    return futures
  }

  /// Returns futures of URLs. Their bytes never arrive if the loader was created by `idle()`.
  static func waiting(_ count: Int, in loader: FutureImage.Loader) -> [FutureImage] {
    (0..<count).map { FutureImage(at: url($0), loader: loader) }
  }
}
