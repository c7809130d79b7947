import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// What a sized source makes its pictures with: it notes the sizes that it is asked for, and holds calls or fails as a test wants.
final class Darkroom: Sendable {
  struct Broken: Error {}

  private struct State: Sendable {
    var asked: [CGSize] = []
    var isHeld = false
    var cancelled = 0
    var failures: [any Error] = []
    var colour = Colour.red
    var shape: (@Sendable (CGSize) -> CGSize)?
  }

  private let state = Observed(State())
  let whole: CGSize

  /// - Parameter whole: of the picture that it has, in pixels.
  init(whole: CGSize = CGSize(width: 1200, height: 900)) {
    self.whole = whole
  }

  var asked: [CGSize] { state.read { $0.asked } }

  func hold() { state.update { $0.isHeld = true } }
  func letGo() { state.update { $0.isHeld = false } }

  /// The next call fails.
  func fail(_ error: any Error = Broken()) { state.update { $0.failures.append(error) } }

  /// The colour of the pictures from now on.
  func paint(_ colour: Colour) { state.update { $0.colour = colour } }

  /// Pictures come in the size that this makes of the one that was asked for.
  func reshape(_ shape: @escaping @Sendable (CGSize) -> CGSize) { state.update { $0.shape = shape } }

  /// Return when so many calls were begun or cancelled in all.
  func waitForCalls(_ count: Int = 1) async { await state.wait { $0.asked.count >= count } }
  func waitForCancellations(_ count: Int = 1) async { await state.wait { $0.cancelled >= count } }

  /// - Parameter loader: called by the handler of the cancellation, which must not run inside of its lock.
  func make(_ pixels: CGSize, cancelling loader: FutureImage.Loader? = nil) async throws -> FutureImage.Source.Rendition {
    let failure = state.update { state -> (any Error)? in
      state.asked.append(pixels)
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
    let before = state.read { $0.cancelled }
    await withTaskCancellationHandler {
      await state.wait { !$0.isHeld || $0.cancelled > before }
    } onCancel: {
      assertNoLockIsHeld()
      _ = loader?.statistics
      state.update { $0.cancelled += 1 }
    }
    try Task.checkCancellation()
    if let failure { throw failure }
    let (colour, shape) = state.read { ($0.colour, $0.shape) }
    let size = shape?(pixels) ?? pixels
    let image = Picture.image(
      Int(size.width), Int(size.height), red: UInt8(colour.red), green: UInt8(colour.green), blue: UInt8(colour.blue))
    return .image(image)
  }

  /// A source of the whole picture's size.
  func source(_ key: String = "asset") -> FutureImage.Source { .sized(key: key, wholeSize: whole) { try await self.make($0) } }

  /// A source that does not say how large the whole is. Pictures are fitted into what is asked for.
  func sourceOfUnknownSize(_ key: String = "asset") -> FutureImage.Source {
    reshape { [whole] box in
      let scale = min(box.width / whole.width, box.height / whole.height)
      return CGSize(width: (whole.width * scale).rounded(), height: (whole.height * scale).rounded())
    }
    return .sized(key: key) { try await self.make($0) }
  }
}
