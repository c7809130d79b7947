import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views that come back to the future while it is with them.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReentrancyTests {
  /// Does something when it is asked for its picture, or given one.
  final class Busy: FutureImageBinding {
    private var stored: UIImage?
    var onGet: (() -> Void)?
    var onSet: (() -> Void)?
    let pixelFitting: FutureImage.Fitting?

    init(_ fitting: FutureImage.Fitting = .full) { pixelFitting = fitting }

    var image: UIImage? {
      get {
        let todo = onGet
        onGet = nil
        todo?()
        return stored
      }
      set {
        stored = newValue
        let todo = onSet
        onSet = nil
        todo?()
      }
    }
  }

  let shop = Shop()

  @Test func `a view may bind another one while it is asked for its picture`() async {
    let (busy, other) = (Busy(), imageView(64))
    let future = shop.future()
    busy.futureImage = future
    busy.onGet = { other.futureImage = future }
    await shop.serve("a", Picture.jpeg())
    #expect(busy.onGet == nil)
    #expect(busy.image?.cgImage?.width == 64)
    #expect(other.image?.cgImage?.width == 64)
  }

  @Test func `a view may bind another one while it is given its picture`() async {
    let (busy, other) = (Busy(), imageView(16))
    let future = shop.future()
    busy.futureImage = future
    busy.onSet = { other.futureImage = future }
    await shop.serve("a", Picture.jpeg())
    #expect(busy.onSet == nil)
    #expect(busy.image?.cgImage?.width == 64)
    #expect(other.image?.cgImage != nil && other.futureImage == nil)
  }

  @Test func `a view may take another one's picture away while it is given its own`() async {
    let (busy, other) = (Busy(), imageView(64))
    let future = shop.future()
    busy.futureImage = future
    other.futureImage = future
    busy.onSet = { other.futureImage = nil }
    await shop.serve("a", Picture.jpeg())
    #expect(busy.onSet == nil)
    #expect(other.image == nil)
  }

  @Test func `a view may cancel the future while it is given its placeholder`() async {
    let busy = Busy()
    let future = shop.future()
    busy.onSet = { future.cancel() }
    busy.futureImage = future
    // Bound anew by the end of the setter, it starts anew. The request that was given up may have been made, but is held no more.
    await shop.held.waitForHeld()
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.settled()
    #expect(busy.image?.cgImage?.width == 64)
  }

  @Test func `a picture that is replaced while views are being given it does not stay there`() async {
    let decoder = GatedDecoder()
    let shop = Shop { $0.decoder = decoder }
    let busy = Busy()
    let future = shop.future()
    busy.futureImage = future
    await shop.held.waitForRequests()
    decoder.close(width: 64)
    decodeTwoSizes(future) {
      shop.held.resolve(with: Colour.red.jpeg())
    } between: {
      decoder.open()
    }
    // The smaller is put there first; before the larger follows, both are out of date.
    let isReplaced = DispatchSemaphore(value: 0)
    busy.onSet = {
      future.reload()
      Task.detached {
        await shop.held.waitForRequests(2)
        shop.held.resolve(with: Colour.blue.jpeg())
        while future.state.withLock({ $0.revision }) == 0 { await Task.yield() }
        isReplaced.signal()
      }
      isReplaced.wait()
    }
    await shop.loader.settled()
    #expect(busy.onSet == nil)
    #expect(Colour.blue.isNearly(busy.image?.colour))
  }

  /// The main actor is busy until both are there: they come to the views in one turn.
  private func decodeTwoSizes(_ future: FutureImage, start: () -> Void, between: () -> Void) {
    let (small, whole) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    future.wait(.square(8)) { _ in small.signal() }
    future.wait(.full) { _ in whole.signal() }
    start()
    small.wait()
    between()
    whole.wait()
  }
}
