import Foundation

@testable import FutureImage
@testable import FutureImageTesting

/// A decoder that blocks the threads that decode images of certain widths, until a test lets them continue.
final class GatedDecoder: FutureImage.ImageDecoder {
  private struct State: Sendable {
    var isClosed: @Sendable (Int) -> Bool = { _ in false }
    var passing = 0
    var turns: [(width: Int, turn: DispatchSemaphore)] = []
    var running = 0
    var most = 0
    var count = 0
  }

  private let decoder = FutureImage.StandardDecoder()
  private let state = Observed(State())

  /// Holds the decodes that result in the given width in pixels, or all decodes if the width is nil.
  /// - Parameter passing: the number of decodes that pass before the first decode is held. For example, the first decode after a reload
  ///   only tests whether the new image can be decoded. If this number is 1, that decode passes.
  func close(width: Int? = nil, passing: Int = 0) {
    state.update { state in
      state.isClosed = { width == nil || $0 == width }
      state.passing = passing
    }
  }

  /// Lets all decodes continue, except decodes that result in the given width.
  func open(except width: Int? = nil) {
    let turns = state.update { state in
      state.isClosed = { $0 == width }
      defer { state.turns.removeAll { $0.width != width } }
      return state.turns.filter { $0.width != width }
    }
    for (_, turn) in turns { turn.signal() }
  }

  func waitForHeld(_ count: Int = 1) async {
    await state.wait { $0.turns.count >= count }
  }

  /// The number of decodes and previews that have begun.
  var count: Int { state.read { $0.count } }

  /// The maximum number of concurrent decodes and previews.
  var most: Int { state.read { $0.most } }

  func size(of data: Data) throws -> FutureImage.PixelSize { try decoder.size(of: data) }

  func decode(_ data: Data, size: FutureImage.PixelSize) throws -> CGImage {
    try inTurn(size) { try decoder.decode(data, size: size) }
  }

  func preview(of beginning: Data, size: FutureImage.PixelSize) throws -> CGImage? {
    try inTurn(size) { try decoder.preview(of: beginning, size: size) }
  }

  private func inTurn<Result>(_ size: FutureImage.PixelSize, _ body: () throws -> Result) rethrows -> Result {
    let turn = state.update { state -> DispatchSemaphore? in
      state.running += 1
      state.most = max(state.most, state.running)
      state.count += 1
      guard state.isClosed(size.width) else { return nil }
      guard state.passing == 0 else {
        state.passing -= 1
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.turns.append((size.width, turn))
      return turn
    }
    turn?.wait()
    defer { state.update { $0.running -= 1 } }
    return try body()
  }
}
