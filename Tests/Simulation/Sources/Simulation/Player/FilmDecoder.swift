import Foundation

@testable import FutureImage

/// A decoder of films that counts the decodes of each frame. Other threads can run during a decode. Some decodes take as long as a frame
/// is shown.
final class FilmDecoder: FutureImage.ImageDecoder {
  static let canvasBytes = 100

  private struct WeakBitmap {
    weak var bitmap: CGImage?
  }

  private struct State {
    /// Whether some decodes take time.
    var isSlow = false
    /// The bitmaps that views in windows show. A bitmap is left out if the player of its view has already moved to another frame.
    var shown: [Swift.ObjectIdentifier: WeakBitmap] = [:]
    /// The numbers of decodes of frames that are not first frames, since the last call of ``takeDecodes()``.
    var decodes: [FilmFrame: Int] = [:]
    /// The numbers of decodes of first frames.
    var firstFrameDecodes: [FilmFrame: Int] = [:]
    /// The frames that threads decode at this moment.
    var running: Set<FilmFrame> = []
    var openCount = 0
    var faults: [String] = []
  }

  private let state = Lock(State(), rank: .testing)

  /// Returns how often each frame was decoded since the last call. The result has no first frames.
  func takeDecodes() -> [FilmFrame: Int] {
    state.withLock { state in
      defer { state.decodes = [:] }
      return state.decodes
    }
  }

  func setSlow(_ isSlow: Bool) { state.withLock { $0.isSlow = isSlow } }

  /// Records the bitmap that a view shows in a window; nil if there is none.
  func show(_ bitmap: CGImage?, in view: Swift.ObjectIdentifier) {
    state.withLock { $0.shown[view] = bitmap.map { WeakBitmap(bitmap: $0) } }
  }

  private func isShown(_ bitmap: CGImage) -> Bool { state.withLock { $0.shown.values.contains { $0.bitmap === bitmap } } }

  private func add(fault: String) { state.withLock { $0.faults.append(fault) } }

  private func begin(_ frame: FilmFrame) {
    state.withLock { state in
      guard frame.index > 0 else { return state.firstFrameDecodes[frame, default: 0] += 1 }
      state.decodes[frame, default: 0] += 1
      // Two threads must not decode the same frame for one animation, but they may do so for two animations of the film. A film has a
      // second animation only if its first frame was decoded again after the pool had released it.
      let first = FilmFrame(film: frame.film, index: 0, width: frame.width)
      if !state.running.insert(frame).inserted, state.firstFrameDecodes[first] == 1 {
        state.faults.append("two threads decode frame \(frame.index) of film \(frame.film.number)")
      }
    }
  }

  private func end(_ frame: FilmFrame) { state.withLock { _ = $0.running.remove(frame) } }

  /// The number of open animations.
  var openCount: Int { state.withLock { $0.openCount } }
  var faults: [String] { state.withLock { $0.faults } }

  private func film(_ data: Data) throws -> Film {
    guard let film = Film(data) else { throw FutureImage.Failure(.undecodable("it is not a film")) }
    return film
  }

  func size(of data: Data) throws -> FutureImage.PixelSize {
    _ = try film(data)
    return Film.size
  }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage { try image(of: film(data), 0, size) }

  func animation(of data: Data, size: FutureImage.PixelSize) throws -> (any FutureImage.Animation)? {
    Projector(try film(data), size, self)
  }

  private func image(of film: Film, _ index: Int, _ size: FutureImage.PixelSize) throws -> CGImage {
    guard let image = film.image(of: index, size) else { throw FutureImage.Failure(.outOfMemory) }
    return image
  }

  /// An open animation of a film.
  private final class Projector: FutureImage.Animation {
    private let film: Film
    private let size: FutureImage.PixelSize
    private let decoder: FilmDecoder
    private var isDecoding = false
    private var madeFrames: [Int: WeakBitmap] = [:]

    init(_ film: Film, _ size: FutureImage.PixelSize, _ decoder: FilmDecoder) {
      (self.film, self.size, self.decoder) = (film, size, decoder)
      decoder.state.withLock { $0.openCount += 1 }
    }

    deinit { decoder.state.withLock { $0.openCount -= 1 } }

    var durations: [TimeInterval] { Array(repeating: Film.frameDuration, count: film.frameCount) }
    var playCount: Int { film.playCount }
    var heldBytes: Int { FilmDecoder.canvasBytes }

    func frame(at index: Int) throws -> CGImage {
      let frame = FilmFrame(film: film, index: index, width: size.width)
      if isDecoding { decoder.add(fault: "two threads use one open animation") }
      if let former = madeFrames[index]?.bitmap, decoder.isShown(former) {
        decoder.add(fault: "frame \(index) of film \(film.number) was decoded again while a view showed it")
      }
      isDecoding = true
      defer { isDecoding = false }
      StressThreads.note("decode frame \(index) of film \(film.number), version \(film.version), \(size.width) pixels wide")
      decoder.begin(frame)
      defer { decoder.end(frame) }
      let isSlow = index > 0 && decoder.state.withLock { $0.isSlow } && simulator.draw() % 2 == 0
      if isSlow { StressThreads.pass(.milliseconds(Film.frameDuration * 1_000)) } else { StressThreads.yieldTurn() }
      guard index < film.playableCount else { throw FutureImage.Failure(.undecodable("the frame is broken")) }
      let bitmap = try decoder.image(of: film, index, size)
      madeFrames[index] = WeakBitmap(bitmap: bitmap)
      return bitmap
    }
  }
}
