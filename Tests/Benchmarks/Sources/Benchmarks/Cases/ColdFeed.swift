import CReference
import FutureImage

/// A feed that was never seen before: from URLs to pictures in views, against curl_multi and libjpeg-turbo on all cores.
///
/// Ours also writes the bytes to its disk cache, as it does in an app; that is in its time as far as it competes for the processors.
extension Benchmark {
  static let coldFeed = Benchmark(name: "cold feed") {
    let scratch = try Scratch()
    let files = scratch.folder("files")
    let photos = try Pictures.servePhotos(300, in: files)
    let small = try Pictures.serveSmall(2000, in: files)
    let nginx = try Nginx(serving: files, scratch: scratch)
    return [
      try await row("cold feed, 300 photos", try photos.map(nginx.url), side: 160, target: 1.2, rounds: 5, scratch),
      try await row("cold feed, 2,000 small", try small.map(nginx.url), side: 160, target: 1.5, rounds: 7, scratch)
    ]
  }

  @MainActor private static func row(
    _ name: String, _ urls: [URL], side: Int, target: Double, rounds: Int, _ scratch: Scratch
  ) async throws -> Row {
    let comparison = try await Comparison(rounds: rounds) {
      try await showCold(urls, side, scratch)
    } reference: {
      let seconds = withCStrings(urls.map(\.absoluteString)) { reference_feed($0, urls.count, 6, cores, UInt32(side)) }
      guard seconds > 0 else { throw Child.Failed(description: "the reference did not get the feed") }
      return seconds
    }
    return Row(name, comparison, target: target, unit: "ms", scale: 1e3)
  }

  @MainActor private static func showCold(_ urls: [URL], _ side: Int, _ scratch: Scratch) async throws -> Double {
    // Left there until the end: ext4 does not use an inode again that was deleted within five seconds, and the search for another one would
    // take longer than all else that is measured here.
    let loader = FutureImage.Loader.fresh(disk: scratch.folder())
    let gallery = Gallery(urls.count, side: CGFloat(side))
    let seconds = await wallTime {
      gallery.show(urls.map { FutureImage(at: $0, loader: loader) })
      await gallery.full()
    }
    await loader.settled()
    return seconds
  }
}
