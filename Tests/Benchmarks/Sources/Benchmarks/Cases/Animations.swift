import CReference
import FutureImage

/// An animation of 500 frames that plays once in three views, at its own rate. The views show all pixels of each frame.
///
/// A process plays one format. It first plays a small animation of the same format, so that the library's code and threads, which stay in
/// memory, are not counted as memory of the animation.
extension Benchmark {
  static let animations = Benchmark(name: "animations") {
    let scratch = try Scratch()
    let small = try MovingPictures.gif(width: 80, height: 60, frames: 8)
    let whole = try MovingPictures.gif()
    var rows: [Row] = []
    for name in ["gif", "webp", "png", "avif"] {
      let format = FutureImage.Encoding.Format(rawValue: name)
      if let format, !format.isAvailable { continue }
      let folder = scratch.folder(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      func write(_ gif: Data, as file: String) async throws -> Data {
        let data = if let format { try await MovingPictures.converted(gif, to: format) } else { gif }
        try data.write(to: folder.appending(path: file))
        return data
      }
      // A format whose animations cannot be read has no rows.
      guard try await MovingPictures.frames(of: write(small, as: "small")) > 1 else { continue }
      _ = try await write(whole, as: "whole")
      rows += try Screening.measured(folder).rows(name == "png" ? "APNG" : name == "webp" ? "WebP" : name.uppercased())
    }
    return rows
  }
}

/// The figures of an animation that played once.
private struct Screening: Codable {
  /// The bytes of the file.
  var file: Double
  /// The bytes that the decoder retained: its canvas.
  var held: Double
  /// The most bytes by which the process grew.
  var growth: Double
  /// The most decoded frames that were in memory at once.
  var framesInMemory: Double
  /// The number of decodes of frames until the last frame appeared.
  var decodes: Double
  /// The number of frames, added up over all views, that appeared late: more than a refresh of a display after they were due.
  var late: Double
  /// The number of frames, added up over all views, that did not appear.
  var missing: Double
  /// The longest time in seconds between the moment when a frame was due and the moment when it appeared.
  var longestDelay: Double
  /// The processor time in seconds, of all threads.
  var processorTime: Double

  /// The bytes that everything else may take, such as the stacks of threads.
  private static let rest = 2.0 * 1_048_576

  static func measured(_ folder: URL) throws -> Screening {
    let text = try Child.run(["--part", Part.animation.rawValue], environment: [Part.animationVariable: folder.path])
    return try JSONDecoder().decode(Screening.self, from: Data(text.utf8))
  }

  func rows(_ format: String) -> [Row] {
    let (frames, frameBytes) = (Double(MovingPictures.frameCount), MovingPictures.frameBytes)
    let megabyte = 1_048_576.0
    let canvases = held / frameBytes
    let wanted = held + file + 4 * frameBytes
    return [
      Row("\(format) in 3 views, frames in memory", [framesInMemory], limit: 4, unit: "frames"),
      Row(
        "\(format) in 3 views, memory", [growth], limit: (wanted + Self.rest) / megabyte, unit: "MB at most", scale: 1 / megabyte,
        note: "\(Table.text(wanted / megabyte)) MB of it are 4 frames, the canvas of \(Table.text(canvases)) frames, and the file of "
          + "\(Int(file / 1_024)) KB"),
      Row("\(format) in 3 views, decodes of each frame", [decodes / frames], limit: 1, unit: "decodes"),
      Row(
        "\(format) in 3 views, late or missing", [late + missing], limit: 0, unit: "frames",
        note: "the latest frame appeared \(Table.text(longestDelay * 1e3)) ms after it was due; "
          + "\(Table.text(processorTime / frames * 1e3)) ms of processor time a frame")
    ]
  }
}

extension Part {
  static let animationVariable = "FUTUREIMAGE_BENCHMARKS_ANIMATION"

  @MainActor func playAnimation() async throws -> String {
    guard let path = ProcessInfo.processInfo.environment[Self.animationVariable] else { throw Child.Failed(description: "no animation") }
    let folder = URL(filePath: path)
    _ = try await play(folder.appending(path: "small"), frames: 8)
    reference_give_memory_back()
    let figures = try await play(folder.appending(path: "whole"), frames: MovingPictures.frameCount)
    return String(decoding: try JSONEncoder().encode(figures), as: UTF8.self)
  }

  @MainActor private func play(_ file: URL, frames: Int) async throws -> Screening {
    let decoder = CountingDecoder()
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = nil
    configuration.addDecoder(decoder) { _ in true }
    let loader = FutureImage.Loader(configuration)
    let bytes = try check(file, frames)
    ProcessMemory.forgetPeak()
    let (baseline, begun) = (ProcessMemory.resident, reference_process_seconds())
    let theater = Theater(FutureImage(.file(file), loader: loader), frames: frames)
    let decodes = await theater.play(decoder)
    let growth = ProcessMemory.peak - baseline
    let processorTime = reference_process_seconds() - begun
    theater.clear()
    await loader.waitUntilIdle()
    return Screening(
      file: Double(bytes), held: Double(decoder.current.heldBytes), growth: growth,
      framesInMemory: Double(decoder.current.framesInMemory), decodes: Double(decodes),
      late: Double(theater.delays.count { $0 > Theater.refresh }), missing: Double(theater.missing),
      longestDelay: theater.delays.max() ?? 0,
      processorTime: processorTime)
  }
}

/// Throws if a file does not have that number of frames. The bytes of the file are released on return, so they do not count in the
/// measurement that follows.
/// - Returns: the number of bytes.
private func check(_ file: URL, _ frames: Int) throws -> Int {
  let data = try Data(contentsOf: file)
  let found = try MovingPictures.frames(of: data)
  guard found == frames else { throw Child.Failed(description: "\(file.path) has \(found) frames instead of \(frames)") }
  return data.count
}

/// Three views in a window that show one image, from its first frame until the first frame appears again.
@MainActor private final class Theater {
  /// The time in seconds between two refreshes of a display.
  static let refresh = 1.0 / 60

  private let future: FutureImage
  private let frames: Int
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: MovingPictures.width, height: MovingPictures.height * 3))
  private var screens: [Screen] = []
  private var end: CheckedContinuation<Int, Never>?
  private var decoder: CountingDecoder?
  private var decodes = 0
  /// The time in seconds by which each frame of each view appeared too late, or too early if negative.
  private(set) var delays: [Double] = []

  private final class Screen: UIImageView {
    weak var theater: Theater?
    /// The number of frames that have appeared.
    private(set) var shown = 0
    /// The time in seconds at which the next frame is due.
    private var due: Double?

    override var image: UIImage? {
      didSet {
        guard let image, !(image is FutureImage), image !== oldValue else { return }
        let now = reference_wall_seconds()
        let delay = now - (due ?? now)
        // After a delay that people can notice, the animation goes on at its own rate.
        due = (delay > Theater.refresh ? now : due ?? now) + MovingPictures.frameDuration
        shown += 1
        theater?.appeared(shown - 1, delay)
      }
    }
  }

  init(_ future: FutureImage, frames: Int) {
    self.future = future
    self.frames = frames
    screens = (0..<3).map { number in
      let top = CGFloat(number * MovingPictures.height)
      let screen = Screen(frame: CGRect(x: 0, y: top, width: CGFloat(MovingPictures.width), height: CGFloat(MovingPictures.height)))
      screen.contentMode = .scaleAspectFit
      screen.theater = self
      window.addSubview(screen)
      return screen
    }
    delays.reserveCapacity(3 * (frames + 1))
  }

  /// - Returns: the number of frames that were decoded when the last frame appeared.
  func play(_ decoder: CountingDecoder) async -> Int {
    self.decoder = decoder
    for screen in screens { screen.futureImage = future }
    return await withCheckedContinuation { end = $0 }
  }

  /// The number of frames, added up over all views, that did not appear. Each view should show one frame more than the animation has,
  /// because the first frame appears again.
  var missing: Int { screens.reduce(0) { $0 + max(0, frames + 1 - $1.shown) } }

  func clear() {
    for screen in screens { screen.futureImage = nil }
  }

  /// Records that a frame has appeared in a view. `number` is the number of frames that have appeared in this view before.
  private func appeared(_ number: Int, _ delay: Double) {
    delays.append(delay)
    let position = Int((future.player?.time ?? 0) / MovingPictures.frameDuration + 0.01)
    if position == frames - 1, decodes == 0 { decodes = decoder?.current.frames ?? 0 }
    guard position == 0, number > 0 else { return }
    // The first frame has appeared again, which ends the animation. The other views show this frame before the main thread does anything
    // else, so this block runs after all views have shown it.
    DispatchQueue.main.async { [self] in
      end?.resume(returning: decodes)
      end = nil
    }
  }
}
