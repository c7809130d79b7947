import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views that call the future while it reads or sets their image.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ReentrancyTests {
  /// An object that runs a closure when its image is read or set.
  final class CallbackObject: ImageDisplaying {
    private var stored: UIImage?
    var onGet: (() -> Void)?
    var onSet: (() -> Void)?
    let pixelFitting: FutureImage.Fitting?

    init(_ fitting: FutureImage.Fitting = .full) { pixelFitting = fitting }

    var image: UIImage? {
      get {
        let action = onGet
        onGet = nil
        action?()
        return stored
      }
      set {
        stored = newValue
        let action = onSet
        onSet = nil
        action?()
      }
    }
  }

  let fixture = LoaderFixture()

  @Test func `a view's image getter may bind another view to the same future`() async {
    let (object, other) = (CallbackObject(), imageView(64))
    let future = fixture.future()
    object.futureImage = future
    object.onGet = { other.futureImage = future }
    await fixture.serve("a", SampleImage.jpeg())
    #expect(object.onGet == nil)
    #expect(object.image?.cgImage?.width == 64)
    #expect(other.image?.cgImage?.width == 64)
  }

  @Test func `a view's image setter may bind another view to the same future`() async {
    let (object, other) = (CallbackObject(), imageView(16))
    let future = fixture.future()
    object.futureImage = future
    object.onSet = { other.futureImage = future }
    await fixture.serve("a", SampleImage.jpeg())
    #expect(object.onSet == nil)
    #expect(object.image?.cgImage?.width == 64)
    #expect(other.image?.cgImage != nil && other.futureImage == nil)
  }

  @Test func `a view's image setter may remove the image of another view of the same future`() async {
    let (object, other) = (CallbackObject(), imageView(64))
    let future = fixture.future()
    object.futureImage = future
    other.futureImage = future
    object.onSet = { other.futureImage = nil }
    await fixture.serve("a", SampleImage.jpeg())
    #expect(object.onSet == nil)
    #expect(other.image == nil)
  }

  @Test func `a view's image getter may call measureViews of the view's future`() {
    let object = CallbackObject()
    let future = fixture.future()
    object.futureImage = future
    object.image = SampleImage.image()
    object.onGet = { future.measureViews() }
    future.measureViews()
    #expect(object.onGet == nil)
    #expect(future.bindings.isEmpty)
  }

  @Test func `a view's image setter may cancel the future when the placeholder is set`() async {
    let object = CallbackObject()
    let future = fixture.future()
    object.onSet = { future.cancel() }
    object.futureImage = future
    // The end of the setter binds the future again, which starts a new request. The canceled request may have been made, but is no longer
    // held.
    await fixture.held.waitForHeld()
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(object.image?.cgImage?.width == 64)
  }

  @Test func `if an image is replaced while a view's setter runs, the view shows the new image in the end`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let object = CallbackObject()
    let future = fixture.future()
    object.futureImage = future
    await fixture.held.waitForRequests()
    decoder.close(width: 64)
    decodeTwoSizes(future) {
      fixture.held.resolve(with: TestColor.red.jpeg())
    } between: {
      decoder.open()
    }
    // The smaller image is set first. Both images are outdated before the larger image is set.
    let replaced = DispatchSemaphore(value: 0)
    object.onSet = {
      future.reload()
      Task.detached {
        await fixture.held.waitForRequests(2)
        fixture.held.resolve(with: TestColor.blue.jpeg())
        await waitWhile(future.generation == 0)
        replaced.signal()
      }
      replaced.wait()
    }
    await fixture.loader.waitForIdle()
    #expect(object.onSet == nil)
    #expect(TestColor.blue.isNearly(object.image?.color))
  }

  /// Blocks the main actor until both sizes are decoded, so that the views get both sizes in the same turn of the main actor.
  /// - Parameter between: runs after the smaller size has been decoded.
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
