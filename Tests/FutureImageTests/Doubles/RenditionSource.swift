import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// Creates the images of a sized source, which is a source with a closure that makes an image in a requested size. It records the requested
/// sizes, and holds calls or fails as a test requires.
final class RenditionSource: Sendable {
  struct Broken: Error {}

  private struct State: Sendable {
    var asked: [CGSize] = []
    var isHeld = false
    var cancelled = 0
    var failures: [any Error] = []
    var color = TestColor.red
    var shape: (@Sendable (CGSize) -> CGSize)?
  }

  private let state = Observed(State())
  let whole: CGSize

  /// - Parameter whole: the size of the full image, in pixels.
  init(whole: CGSize = CGSize(width: 1200, height: 900)) {
    self.whole = whole
  }

  /// The requested sizes, in order.
  var asked: [CGSize] { state.read { $0.asked } }

  func hold() { state.update { $0.isHeld = true } }
  func release() { state.update { $0.isHeld = false } }

  /// Makes the next call fail.
  func fail(_ error: any Error = Broken()) { state.update { $0.failures.append(error) } }

  /// Sets the color of later images.
  func paint(_ color: TestColor) { state.update { $0.color = color } }

  /// Sets a closure that maps each requested size to the size of the image.
  func reshape(_ shape: @escaping @Sendable (CGSize) -> CGSize) { state.update { $0.shape = shape } }

  /// Returns when the total number of calls reaches the count.
  func waitForCalls(_ count: Int = 1) async { await state.wait { $0.asked.count >= count } }
  /// Returns when the total number of canceled calls reaches the count.
  func waitForCancellations(_ count: Int = 1) async { await state.wait { $0.cancelled >= count } }

  /// Records the size, waits while calls are held, and then returns an image of this size, or throws the next failure.
  /// - Parameter loader: the loader that the cancellation handler reads. The handler must not run inside the lock of this loader.
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
    let (color, shape) = state.read { ($0.color, $0.shape) }
    let size = shape?(pixels) ?? pixels
    let image = SampleImage.image(
      Int(size.width), Int(size.height), red: UInt8(color.red), green: UInt8(color.green), blue: UInt8(color.blue))
    return .image(image)
  }

  /// A source that declares the size of the full image.
  func source(_ key: String = "asset") -> FutureImage.Source { .sized(key: key, wholeSize: whole) { try await self.make($0) } }

  /// A source that does not declare the size of the full image. Its images fit into the requested size.
  func sourceOfUnknownSize(_ key: String = "asset") -> FutureImage.Source {
    reshape { [whole] box in
      let scale = min(box.width / whole.width, box.height / whole.height)
      return CGSize(width: (whole.width * scale).rounded(), height: (whole.height * scale).rounded())
    }
    return .sized(key: key) { try await self.make($0) }
  }
}
