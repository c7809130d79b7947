import FutureImage

/// The thumbnailer of the page about command-line programs. It measures nothing itself. The script `Tests/Benchmarks/thumbnails` measures
/// it and compares it with vipsthumbnail.
struct Thumbnailer {
  /// The path of the thumbnails' folder, whose name is the format: `jpeg`, `webp`, or `avif`.
  let folder: String
  /// The paths of the photos.
  let files: [String]

  /// Writes a thumbnail of at most 320 × 320 pixels for each file.
  func run() async throws {
    let folder = URL(filePath: folder)
    let format = FutureImage.Encoding.Format(rawValue: folder.lastPathComponent) ?? .jpeg
    // vipsthumbnail uses the quality 80. With this quality, the library's JPEGs would have 3% fewer bytes than those of vipsthumbnail. With
    // 81, they have nearly as many bytes.
    let encoding = FutureImage.Encoding(format, quality: format == .jpeg ? 0.81 : nil)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let box = FutureImage.PixelSize(width: 320, height: 320)
    try await withThrowingTaskGroup { group in
      for (index, file) in files.enumerated() {
        group.addTask {
          let source = FutureImage.Source.file(URL(filePath: file))
          let made = try await FutureImage.Loader.shared.encoded(source, resizedTo: box, as: encoding, confirmed: true)
          try made.data.write(to: folder.appending(path: "\(index).\(format)"))
        }
      }
      try await group.waitForAll()
    }
    await FutureImage.Loader.shared.waitUntilIdle()
  }
}
