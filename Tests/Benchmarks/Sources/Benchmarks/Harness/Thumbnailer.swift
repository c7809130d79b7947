import FutureImage

/// The thumbnailer of the page about command-line programs, for `Tests/Benchmarks/thumbnails`. It measures nothing itself.
struct Thumbnailer {
  /// The paths of the thumbnails' folder and of the photos.
  let folder: String
  let files: [String]

  /// Writes a JPEG of at most 320 × 320 pixels for each file.
  func run() async throws {
    let folder = URL(filePath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let small = FutureImage.Transform.resize(toPixels: FutureImage.PixelSize(width: 320, height: 320))
    let photos = files.map { FutureImage(.file(URL(filePath: $0)), transform: small) }
    for await (index, result) in photos.results(confirmed: true) {
      let jpeg = try result.get().jpegData(compressionQuality: 0.85)
      try jpeg?.write(to: folder.appending(path: "\(index + 1).jpg"))
    }
    await FutureImage.Loader.shared.waitUntilIdle()
  }
}
