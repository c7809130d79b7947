import FutureImage
import FutureImageCache

/// A command-line program without its `main.swift`. It writes a thumbnail of each item's image.
struct FeedThumbnailer {
  let loader: FutureImage.Loader

  /// Writes a thumbnail of each item into the folder. The name of the thumbnail is the number of its item, and the first item has the
  /// number 1. Returns a line for each item without a thumbnail.
  func run(_ feedURL: URL, into folder: URL) async throws -> [String] {
    let feeds = Cache(directory: nil, as: .data, fetching: loader)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.userInfo[FutureImage.loaderKey] = loader
    decoder.userInfo[FutureImage.baseURLKey] = feedURL
    let feed = try decoder.decode(JSONFeed.self, from: try await feeds.value(from: feedURL))

    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var lines: [Int: String] = [:]
    var numbers: [Int] = []
    var pictures: [FutureImage] = []
    for (index, item) in feed.items.enumerated() {
      guard let picture = item.picture else {
        lines[index + 1] = "\(index + 1): no image"
        continue
      }
      numbers.append(index + 1)
      pictures.append(picture)
    }
    for await (offset, result) in pictures.results(confirmed: true) {
      let number = numbers[offset]
      do {
        try result.get().jpegData(compressionQuality: 0.85)?.write(to: folder.appendingPathComponent("\(number).jpg"))
      } catch {
        lines[number] = "\(number): \(error)"
      }
    }
    // Wait until the originals are on disk, so that the next run fetches only the feed.
    await loader.waitUntilIdle()
    return lines.sorted { $0.key < $1.key }.map(\.value)
  }
}
