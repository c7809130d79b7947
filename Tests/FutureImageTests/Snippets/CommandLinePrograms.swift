// The thumbnailer of the page. Its tests are in `ThumbnailerTests`.
import FutureImage

enum Thumbnailer {
  /// Returns the exit status of the program.
  static func run(_ arguments: [String], loader: FutureImage.Loader = .shared) async throws -> Int32 {
    let folder = URL(filePath: arguments.dropFirst().first ?? "thumbnails")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let box = FutureImage.PixelSize(width: 320, height: 320)
    let failures = await withTaskGroup(of: Int32.self) { group in
      for (index, argument) in arguments.dropFirst(2).enumerated() {
        group.addTask {
          do {
            let thumbnail = try await loader.encoded(source(of: argument), resizedTo: box, as: .jpeg, confirmed: true)
            try thumbnail.data.write(to: folder.appendingPathComponent("\(index + 1).jpg"))
            return 0
          } catch {
            print("\(index + 1): \(error)")
            return 1
          }
        }
      }
      return await group.reduce(0, +)
    }
    await loader.waitUntilIdle()
    return min(failures, 1)
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
