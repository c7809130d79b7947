import FutureImage

/// The peak memory of a process that loads forty small images, each followed by 63 MB of zeros, compared with the same images without
/// zeros. gzip compresses 63 MB of zeros to 64 KB, so a short response can decompress to such a body.
extension Benchmark {
  static let paddedMemory = Benchmark(name: "padded memory") {
    let padded = try figure(of: .padded)
    let plain = try figure(of: .plain)
    return [
      Row(
        "memory, 40 padded answers", [padded], limit: 64, unit: "MB at most", scale: 1.0 / 1_048_576, reference: [plain],
        note: "reference: the same images without padding")
    ]
  }

  private static func figure(of part: Part) throws -> Double {
    let text = try Child.run(["--part", part.rawValue])
    guard let bytes = text.split(separator: " ").first.flatMap({ Double($0) }) else {
      throw Child.Failed(description: "\(part) printed no figure")
    }
    return bytes
  }
}

extension Part {
  @MainActor func showPadded() async throws -> String {
    let count = 40
    var configuration = FutureImage.Loader.Configuration()
    configuration.fetcher = PaddingFetcher(picture: try Pictures.small(0), padding: self == .padded ? 63 << 20 : 0)
    configuration.diskCache = nil
    let loader = FutureImage.Loader(configuration)
    let futures = try (0..<count).map { number in
      guard let url = URL(string: "https://padded.example/\(number).jpg") else { throw Child.Failed(description: "no URL") }
      return FutureImage(at: url, loader: loader)
    }
    let screen = ImageViews(count, side: 160)
    screen.show(futures)
    await screen.full()
    return "\(ProcessMemory.peak) \(futures.count)"
  }
}

/// A fetcher that answers with one image and then with zeros. The zeros arrive in chunks, as from a content decoder.
private struct PaddingFetcher: FutureImage.Fetcher {
  let picture: Data
  let padding: Int

  func fetch(_ request: FutureImage.Request, receive: @escaping FutureImage.Receive) async throws {
    try receive(.response(FutureImage.Response(status: 200)))
    try receive(.bytes(picture))
    let piece = Data(count: 64 << 10)
    for _ in 0..<padding / piece.count { try receive(.bytes(piece)) }
  }
}
