import CReference
import FutureImage
import Glibc

/// A feed that is loaded for the first time, from URLs to images in views, compared with curl_multi and libjpeg-turbo on all cores.
///
/// The library also writes the bytes to its disk cache, as in an app. The writes affect the figure only because they use the processors.
extension Benchmark {
  static let coldPhotos = Benchmark(name: "cold feed of photos") {
    [try await row("cold feed, 300 photos", target: 1.2, rounds: 5) { try Pictures.servePhotos(300, in: $0) }]
  }

  // This benchmark runs in separate processes, because in a process that has freed larger blocks, malloc permanently retains more of the
  // memory that is freed later.
  static let coldSmall = Benchmark(name: "cold feed of small images", processes: 5) {
    let serve = { (folder: URL) in try Pictures.serveSmall(2000, in: folder) }
    return [
      try await row("cold feed, 2,000 small", target: 1.5, rounds: 7, serve: serve),
      try await row("cold feed, 2,000 small, in new memory", target: nil, rounds: 7, hasNewMemory: true, serve: serve)
    ]
  }

  /// - Parameter hasNewMemory: whether each round starts like the first feed of a program. Otherwise each round starts with the memory that
  ///   malloc retained, which may be all the memory that the round needs, or none.
  @MainActor private static func row(
    _ name: String, target: Double?, rounds: Int, hasNewMemory: Bool = false, serve: (URL) throws -> [String]
  ) async throws -> Row {
    let (scratch, side) = (try Scratch(), 160)
    let files = scratch.folder("files")
    let names = try serve(files)
    let nginx = try Nginx(serving: files, scratch: scratch)
    let urls = try names.map(nginx.url)
    func begin() {
      // Without this call, the system would write the files of the previous feed to disk while this feed is measured.
      sync()
      if hasNewMemory { reference_give_memory_back() }
    }
    let comparison = try await Comparison(rounds: rounds) {
      begin()
      return try await showCold(urls, side, scratch)
    } reference: {
      begin()
      let seconds = withCStrings(urls.map(\.absoluteString)) { reference_feed($0, urls.count, 6, cores, UInt32(side)) }
      guard seconds > 0 else { throw Child.Failed(description: "the reference did not load the feed") }
      return seconds
    }
    return Row(name, comparison, target: target, unit: "ms", scale: 1e3)
  }

  @MainActor private static func showCold(_ urls: [URL], _ side: Int, _ scratch: Scratch) async throws -> Double {
    // The folder is removed only at the end, because for minutes, ext4 does not reuse the inode of a deleted file. The search for another
    // inode would take longer than everything else that is measured here.
    let loader = FutureImage.Loader.fresh(disk: scratch.folder())
    let gallery = ImageViews(urls.count, side: CGFloat(side))
    let seconds = await wallTime {
      gallery.show(urls.map { FutureImage(at: $0, loader: loader) })
      await gallery.full()
    }
    await loader.waitUntilIdle()
    return seconds
  }
}
