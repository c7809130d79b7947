import FutureImage

/// The peak memory of a process that requests five hundred thumbnails of photos of 12 megapixels at once, as a server does. The photos are
/// fetched from nginx by HTTP and stored in a disk cache. All photos may arrive before they are decoded, so the limit of 240 MB has room
/// for the bytes of all photos, and for the other memory of the process.
extension Benchmark {
  static let thumbnails = Benchmark(name: "thumbnails") {
    // The photo is made outside of the measured process, because making it takes as much memory as the pixels of a whole photo.
    let scratch = try Scratch()
    let photo = scratch.url.appending(path: "photo.jpg")
    let bytes = try await Pictures.large()
    try bytes.write(to: photo)
    let text = try Child.run(["--part", Part.thumbnails.rawValue], environment: [Part.photoVariable: photo.path])
    guard let peak = text.split(separator: " ").first.flatMap({ Double($0) }) else { throw Child.Failed(description: "printed no figure") }
    return [
      Row(
        "memory, \(Part.thumbnailCount) thumbnails at once", [peak], limit: 240, unit: "MB at most", scale: 1.0 / 1_048_576,
        note: "of 4000 × 3000 pixels and \(bytes.count >> 10) KB each")
    ]
  }
}

extension Part {
  static let photoVariable = "FUTUREIMAGE_BENCHMARKS_PHOTO"
  static var thumbnailCount: Int { Effort.some(500) }

  @MainActor func makeThumbnails() async throws -> String {
    guard let photo = ProcessInfo.processInfo.environment[Self.photoVariable] else { throw Child.Failed(description: "no photo") }
    let scratch = try Scratch()
    let files = scratch.folder("files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let names = (0..<Self.thumbnailCount).map { "photo-\($0).jpg" }
    for name in names {
      try FileManager.default.createSymbolicLink(at: files.appending(path: name), withDestinationURL: URL(filePath: photo))
    }
    let nginx = try Nginx(serving: files, scratch: scratch)
    let urls = try names.map(nginx.url)
    let loader = FutureImage.Loader.fresh(disk: scratch.folder(), maxPixelBytes: 16 << 20)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for url in urls {
        group.addTask {
          let box = FutureImage.PixelSize(width: 320, height: 240)
          let thumbnail = try await FutureImage(at: url, transform: .resize(toPixels: box), loader: loader).value
          return thumbnail.jpegData(compressionQuality: 0.8)?.count ?? 0
        }
      }
      var total = 0
      for try await bytes in group { total += bytes }
      return total
    }
    return withExtendedLifetime(nginx) { "\(ProcessMemory.peak) \(total)" }
  }
}

extension Pictures {
  /// Returns a JPEG of 4000 × 3000 pixels with a photo's detail everywhere: one of the demo's photos, repeated side by side.
  static func large() async throws -> Data {
    let tiles = FutureImage.Transform.custom("tiles") { image in
      guard let tile = image.cgImage else { throw Missing() }
      let rgba = tile.withRGBA { pixels in
        var rgba: [UInt8] = []
        rgba.reserveCapacity(4_000 * 3_000 * 4)
        for y in 0..<3_000 {
          for x in 0..<4_000 {
            let start = (y % tile.height * tile.width + x % tile.width) * 4
            rgba.append(contentsOf: pixels[start..<start + 4])
          }
        }
        return rgba
      }
      guard let tiled = CGImage(width: 4_000, height: 3_000, rgba: rgba) else { throw Missing() }
      return UIImage(cgImage: tiled)
    }
    let photo = FutureImage(.file(try photos()[31]), cachePolicy: .modelOnly, transform: tiles)
    guard let data = try await photo.value.jpegData(compressionQuality: 0.9) else { throw Missing() }
    return data
  }
}
