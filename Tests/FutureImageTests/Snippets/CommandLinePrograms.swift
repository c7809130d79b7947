// The thumbnailer of the page. Its tests are in `ThumbnailerTests`.
import FutureImage

enum Thumbnailer {
  /// Returns the exit status of the program.
  static func run(_ arguments: [String], loader: FutureImage.Loader = .shared) async throws -> Int32 {
    let folder = URL(filePath: arguments.dropFirst().first ?? "thumbnails")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let small = FutureImage.Transform.resize(toPixels: FutureImage.PixelSize(width: 320, height: 320))
    let photos = arguments.dropFirst(2).map { FutureImage(source(of: $0), transform: small, loader: loader) }
    var status: Int32 = 0
    for await (index, result) in photos.results(confirmed: true) {
      do {
        let jpeg = try result.get().jpegData(compressionQuality: 0.85)
        try jpeg?.write(to: folder.appendingPathComponent("\(index + 1).jpg"))
      } catch {
        print("\(index + 1): \(error)")
        status = 1
      }
    }
    await loader.waitUntilIdle()
    return status
  }

  private static func source(of argument: String) -> FutureImage.Source {
    guard argument.contains("://"), let url = URL(string: argument) else { return .file(URL(filePath: argument)) }
    return .url(url)
  }
}

enum CommandLineProgramsSnippets {
  static func main() async throws {
    exit(try await Thumbnailer.run(CommandLine.arguments))
  }

  static func settle() async {
    await FutureImage.Loader.shared.waitUntilIdle()
  }

  static func configure(_ folder: URL) throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = FutureImage.DiskCache(directory: folder, maxBytes: 64 << 20)
    configuration.headers = ["User-Agent": "Thumbnails/1.0"]
    try FutureImage.Loader.configureShared(configuration)
  }
}
