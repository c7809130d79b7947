import FutureImage

/// The peak memory of a process that scrolls twice through two thousand photos, with a limit of 64 MB for pixels.
extension Benchmark {
  static let memory = Benchmark(name: "memory") {
    let ours = try figures(of: .ours)
    let naive = try figures(of: .naive)
    let scale = 1.0 / 1_048_576
    return [
      Row(
        "memory, \(Effort.isQuick ? "200" : "2,000") photos twice", [ours.bytes], limit: 144, unit: "MB at most", scale: scale,
        reference: [naive.bytes],
        note: "naive: \(Int(naive.photos)) photos only, \(Int(naive.bytes * scale / naive.photos * Double(Part.photoCount))) MB for all")
    ]
  }

  private static func figures(of part: Part) throws -> (bytes: Double, photos: Double) {
    let words = try Child.run(["--part", part.rawValue]).split(separator: " ").compactMap { Double($0.trimmingCharacters(in: .newlines)) }
    guard words.count == 2 else { throw Child.Failed(description: "\(part) printed no figures") }
    return (words[0], words[1])
  }
}

/// The parts of benchmarks that need a process without any other work.
enum Part: String {
  case ours = "memory-ours"
  case padded = "memory-padded"
  case plain = "memory-plain"
  case naive = "memory-naive"
  case thumbnails
  case animation
  case creation
  case lockHolds = "lock-holds"

  static var photoCount: Int { Effort.some(2_000) }

  /// Runs the part in this process. Returns its figures as text, which the parent process reads.
  @MainActor func measure() async throws -> String {
    if self == .creation { return creationBytes() }
    if self == .lockHolds { return try await lockHolds() }
    if self == .thumbnails { return try await makeThumbnails() }
    if self == .animation { return try await playAnimation() }
    if self == .padded || self == .plain { return try await showPadded() }
    let scratch = try Scratch()
    let files = scratch.folder("files")
    let names = try Pictures.servePhotos(Self.photoCount, in: files)
    let nginx = try Nginx(serving: files, scratch: scratch)
    let urls = try names.map(nginx.url)
    let photos = self == .ours ? await scroll(urls, scratch) : await scrollNaively(urls)
    return "\(ProcessMemory.peak) \(photos)"
  }

  /// Shows the photos in twelve cells. Each cell is reused for every twelfth photo.
  @MainActor private func scroll(_ urls: [URL], _ scratch: Scratch) async -> Int {
    let loader = FutureImage.Loader.fresh(disk: scratch.folder(), maxPixelBytes: 64 << 20)
    let models = urls.map { url in LazyModel { FutureImage(at: url, loader: loader) } }
    let screen = ImageViews(12, side: 400)
    for _ in 1...2 {
      for start in stride(from: 0, to: models.count, by: screen.views.count) {
        screen.show(models[start..<min(start + screen.views.count, models.count)].map(\.value))
        await screen.full()
      }
    }
    return urls.count
  }

  /// Shows the photos by models that retain their images, until the process uses 1.5 GB or each photo has a model. Returns the number of
  /// models.
  @MainActor private func scrollNaively(_ urls: [URL]) async -> Int {
    let views = ImageViews(12, side: 400).views
    var models: [NaiveFuture] = []
    while models.count < urls.count, ProcessMemory.resident < 1_500 * 1_048_576 {
      let model = NaiveFuture(urls[models.count])
      model.show(in: views[models.count % views.count])
      await model.arrived()
      models.append(model)
    }
    return models.count
  }
}

/// A model that creates its future when the future is first read.
@MainActor private final class LazyModel {
  lazy var value = make()
  private let make: () -> FutureImage

  init(_ make: @escaping () -> FutureImage) {
    self.make = make
  }
}
