#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImageTesting
import Testing

@testable import FutureImage

/// The number of an animation's frames that are in memory.
extension PlayerTests {
  @Test func `at most two frames are decoded ahead, and the pool counts their bytes`() async {
    let (view, future) = (view(600), future())
    view.futureImage = future
    await serve("a", .init(durations: Array(repeating: 0.1, count: 20)))
    // The pool contains the encoded file, the frame that is shown, two frames that are decoded ahead, and the decoder's canvas.
    let frame = (view.image?.cgImage?.width ?? 0) * (view.image?.cgImage?.height ?? 0) * 4
    let fileBytes = fixture.loader.pixelBytes - 3 * frame - FrameDecoder.canvasBytes
    #expect(frame > 0 && fileBytes > 0 && fileBytes < 1_000)
    await advance(0.1, until: view, shows: 1)
    // The first frame stays in memory, too.
    #expect(fixture.loader.pixelBytes == fileBytes + 4 * frame + FrameDecoder.canvasBytes)
    view.removeFromSuperview()
    // The first frame and the frame that the view shows remain.
    #expect(fixture.loader.pixelBytes == fileBytes + 2 * frame)
  }

  @Test func `a view outside of a window stays at the first frame, and causes no decodes`() async {
    let (view, hidden, future) = (view(), imageView(64), future())
    for view in [view, hidden] { view.futureImage = future }
    await serve()
    for index in [1, 2, 3] { await advance(0.1, until: view, shows: index) }
    #expect(hidden.image?.frameIndex == 0)
    #expect(decoder.decoded.withLock { $0 } == [0, 1, 2, 3, 4])
  }

  @Test func `when the app removes the image from a view, the frames that were decoded ahead are released`() async {
    let (view, future) = (view(600), future())
    view.futureImage = future
    await serve()
    await advance(0.1, until: view, shows: 1)
    let (bytes, frame) = (fixture.loader.pixelBytes, view.image?.cgImage?.byteCount ?? 0)
    view.image = nil
    await waitWhile(fixture.clock.waits.isEmpty)
    fixture.clock.advance(by: .milliseconds(100))
    // The player notices the change when the next frame is due.
    await waitWhile(fixture.loader.pixelBytes != bytes - 2 * frame - FrameDecoder.canvasBytes)
  }

  @Test func `after the last view of a size has left the window, no frames of that size are decoded ahead`() async {
    let (small, large, future) = (view(64), view(600), future())
    small.futureImage = future
    await serve()
    let bytes = fixture.loader.pixelBytes
    large.futureImage = future
    await fixture.loader.waitForIdle()
    await advance(0.1, until: large, shows: 1)
    large.removeFromSuperview()
    let frame = large.image?.cgImage?.byteCount ?? 0
    // The first frame and the frame that the large view still has remain, but no frames that are decoded ahead.
    #expect(frame > 0 && fixture.loader.pixelBytes < bytes + 3 * frame)
  }

  @Test func `the player and the frames of an animation are released when no view shows the animation`() async {
    weak var player: FutureImage.Player?
    weak var frame: UIImage?
    do {
      let (view, future) = (view(), future())
      view.futureImage = future
      await serve()
      await advance(0.1, until: view, shows: 1)
      (player, frame) = (future.player, view.image)
      #expect(player != nil && frame != nil)
      view.removeFromSuperview()
      view.image = nil
    }
    fixture.loader.removeCachedPixels()
    await waitWhile(player != nil || frame != nil)
    #expect(fixture.loader.pixelBytes == 0)
  }

  @Test func `a paused animation has no frames decoded ahead`() async throws {
    let (view, future) = (view(600), future())
    view.futureImage = future
    await serve()
    await advance(0.1, until: view, shows: 1)
    let (bytes, frame) = (fixture.loader.pixelBytes, view.image?.cgImage?.byteCount ?? 0)
    let player = try #require(future.player)
    player.isPaused = true
    #expect(fixture.loader.pixelBytes == bytes - 2 * frame)
    player.isPaused = false
    await fixture.loader.waitForIdle()
    #expect(fixture.loader.pixelBytes == bytes)
    await advance(0.1, until: view, shows: 2)
  }

  @Test func `after a reload, the pool counts the new frames, and views of different sizes share one player`() async {
    let (small, large, future) = (view(64), view(600), future())
    small.futureImage = future
    await serve()
    future.reload()
    await serve("a", .init(first: 7))
    await waitWhile(small.image?.color != FrameDecoder.color(7))
    await fixture.loader.waitForIdle()
    let frame = small.image?.cgImage?.byteCount ?? 0
    #expect(frame > 0 && fixture.loader.pixelBytes >= 3 * frame + FrameDecoder.canvasBytes)
    large.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(large.image !== small.image && large.image?.feed?.player === small.image?.feed?.player)
  }
}
#endif
