import CReference
import FutureImage

/// The time in which a new loader shows a feed whose images are in the disk cache, compared with the time to read the files and to decode
/// them. No pixels are in memory.
extension Benchmark {
  static let warmDisk = Benchmark(name: "warm disk") {
    let scratch = try Scratch()
    let (names, files, disk, side) = (
      try Pictures.servePhotos(300, in: scratch.folder("files")), scratch.folder("files"), scratch.folder(), 160
    )
    // No server listens on this port, so an image that is not in the disk cache never arrives.
    let urls = try names.map { name in
      guard let url = URL(string: "http://127.0.0.1:9/\(name)") else { throw Pictures.Missing() }
      return url
    }
    let cache = FutureImage.DiskCache(directory: disk, maxBytes: 2 << 30)
    for (name, url) in zip(names, urls) {
      let entry = FutureImage.CacheEntry(body: try Data(contentsOf: files.appending(path: name)))
      try await cache.store(entry, forKey: FutureImage.Source.url(url).key)
    }
    let comparison = try await Comparison(rounds: 5) {
      let loader = FutureImage.Loader.fresh(disk: disk)
      let gallery = ImageViews(urls.count, side: CGFloat(side))
      let seconds = await wallTime {
        gallery.show(urls.map { FutureImage(at: $0, loader: loader) })
        await gallery.full()
      }
      await loader.waitUntilIdle()
      return seconds
    } reference: {
      let paths = names.map { files.appending(path: $0).path(percentEncoded: false) }
      return withCStrings(paths) { reference_files($0, paths.count, cores, UInt32(side)) }
    }
    return [Row("warm disk, 300 photos", comparison, target: 1.15, unit: "ms", scale: 1e3)]
  }
}
