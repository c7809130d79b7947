import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views and presentations that replace each other while the image stays the same.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RecycledViewTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let view = imageView(64)

  /// Fails the current request permanently. After a transient failure, a new binding would request the image again.
  private func fail() async {
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
  }

  /// Both futures set the same object in the view, so the view's image does not identify the future to which the view is bound.
  @Test func `a former future of the same image no longer updates a recycled view`() async {
    let fixture = LoaderFixture()
    let (view, former, future) = (imageView(160), fixture.future(), fixture.future())
    view.futureImage = former
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    view.futureImage = future
    await fixture.loader.waitForIdle()
    let shown = view.image
    view.bounds.size = CGSize(width: 640, height: 480)
    former.measureViews()
    await fixture.loader.waitForIdle()
    #expect(view.image === shown)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 640)
  }

  @Test func `if a former future's image has arrived but is not shown yet, that future does not update a recycled view`() async throws {
    let fixture = LoaderFixture()
    let (view, former) = (imageView(160), fixture.future())
    view.futureImage = former
    let descriptor = try #require(former.descriptor)
    let size = FutureImage.PixelSize(width: 1280, height: 960)
    let encoded = Encoded(data: SampleImage.jpeg(size.width, size.height), size: size, isFromDisk: false)
    let key = PixelPool.Key(variant: descriptor.variant(0), step: DecodeStep(showing: size, .square(160)))
    let image = try fixture.loader.decode(encoded, key)
    _ = fixture.loader.pool.insert(image, key.variant)
    former.adopt(image)
    // The turn of the main actor that would show the image has not begun yet.
    let future = fixture.future()
    view.futureImage = future
    #expect(view.image === image)
    view.bounds.size = CGSize(width: 640, height: 480)
    await fixture.serve("a", encoded.data)
    #expect(view.image === image)
    future.measureViews()
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 640)
  }

  @Test func `a recycled view gets a new image even after a former future of the same key is released`() async throws {
    let fixture = LoaderFixture()
    let (view, future) = (imageView(160), fixture.future())
    var former: FutureImage? = fixture.future()
    view.futureImage = former
    await fixture.serve("a", SampleImage.jpeg(1280, 960))
    view.futureImage = future
    await fixture.loader.waitForIdle()
    view.bounds.size = CGSize(width: 640, height: 480)
    former?.measureViews()
    await fixture.loader.waitForIdle()
    former = nil
    try await fixture.loader.set(SampleImage.image(640, 640, red: 0), forKey: future.key)
    await fixture.loader.waitForIdle()
    #expect(view.image?.color?.red ?? 255 < 20)
  }

  @Test func `a view bound without a presentation does not handle taps for its former image`() async {
    let first = fixture.future("first")
    view.display(first, .init(retriesOnTap: true))
    await fail()
    view.futureImage = fixture.future("second")
    #expect(view.recognizers.isEmpty)
    withExtendedLifetime(first) {}
  }

  @Test func `binding a future to a second view does not call the callback of the first view`() async {
    var calls = ["first": 0, "second": 0]
    let (future, other) = (fixture.future(), imageView(64))
    view.display(future, .init { _ in calls["first", default: 0] += 1 })
    await fixture.serve("a", TestColor.red.jpeg())
    let before = calls["first"]
    other.display(future, .init { _ in calls["second", default: 0] += 1 })
    #expect(calls["first"] == before)
    #expect(calls["second"] == 1)
  }

  @Test func `if a callback replaces another view's presentation, the callback of the replaced presentation is no longer called`() async {
    var calls: [String] = []
    let (future, other) = (fixture.future(), imageView(64))
    let replacement = FutureImage.Presentation { _ in calls.append("new") }
    var mustReplace = false
    view.display(
      future,
      .init { [weak other] _ in
        guard mustReplace else { return }
        mustReplace = false
        other?.display(future, replacement)
      })
    other.display(future, .init { _ in calls.append("old") })
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    (calls, mustReplace) = ([], true)
    await fail()
    #expect(calls == ["new"])
  }

  @Test func `if a view replaces its presentation when the failure image is set, the old callback does not get the failure`() async {
    final class Replacing: UIImageView {
      var onFailure: (() -> Void)?
      override var image: UIImage? {
        didSet {
          guard image?.cgImage?.width == 30, let action = onFailure else { return }
          onFailure = nil
          action()
        }
      }
    }
    var calls: [String] = []
    let (future, replacing) = (fixture.future(), Replacing(frame: CGRect(x: 0, y: 0, width: 64, height: 48)))
    replacing.display(future, .init(failureImage: SampleImage.image(30, 30)) { phase in calls.append("old \(phase.isFinal)") })
    replacing.onFailure = { [weak replacing] in replacing?.display(future, .init { phase in calls.append("new \(phase.isFinal)") }) }
    await fail()
    #expect(!calls.contains("old true"))
  }

  @Test func `the table of bound places removes the record of a binding that has ended, even if the view still exists`() {
    let (places, views) = (BoundPlaces(), (0..<1_000).map { _ in imageView(8) })
    for view in views {
      let binding = FutureImage.Binding(.view(view), revision: 0, presentation: nil)
      binding.end()
      places.register(.view(view), to: binding, PresentedLook())
    }
    // Each registration checks up to four records, and removes the records that are no longer needed.
    #expect(places.count < 8)
  }

  // MARK: Objects that must be destroyed on the main thread

  /// An object that records whether it is destroyed on the main thread.
  private final class Witness: Sendable {
    private let isOnMain: LockedValue<Bool>

    init(_ isOnMain: LockedValue<Bool>) { self.isOnMain = isOnMain }

    deinit { isOnMain.value = MainQueue.isCurrent }
  }

  /// Waits until the witness is destroyed, and returns whether it was destroyed on the main thread.
  private func result(of isOnMain: LockedValue<Bool>) async -> Bool {
    await waitWhile(isOnMain.value == nil)
    return isOnMain.value ?? false
  }

  /// Releases the last reference to a future on another thread.
  private func release(_ last: Lock<FutureImage?>) {
    Thread.detachNewThread { last.withLock { $0.take() }.map { withExtendedLifetime($0) {} } }
  }

  @Test(.timeLimit(.minutes(5))) func `objects that a presentation's closures retain are destroyed on the main thread`() async {
    let (isOnMain, last) = (LockedValue<Bool>(), Lock<FutureImage?>(nil))
    func bind() {
      let (future, witness) = (fixture.future(), Witness(isOnMain))
      view.display(future, .init { _ in withExtendedLifetime(witness) {} })
      view.image = nil
      last.withLock { $0 = future }
    }
    bind()
    release(last)
    #expect(await result(of: isOnMain))
  }

  @Test(.timeLimit(.minutes(5))) func `objects that a slot's closures retain are destroyed on the main thread`() async {
    let (isOnMain, last) = (LockedValue<Bool>(), Lock<FutureImage?>(nil))
    func bind() {
      let (future, witness) = (fixture.future(), Witness(isOnMain))
      let slot = FutureImage.Slot<UIImageView>(
        \.image,
        pixelFitting: { _ in
          withExtendedLifetime(witness) {}
          return nil
        })
      slot.display(future, in: view)
      view.image = nil
      last.withLock { $0 = future }
    }
    bind()
    release(last)
    #expect(await result(of: isOnMain))
  }

  @Test(.timeLimit(.minutes(5))) func `objects that a callback retains are destroyed on the main thread`() async {
    let (isOnMain, isCalled, loader) = (LockedValue<Bool>(), DispatchSemaphore(value: 0), fixture.loader)
    let future = fixture.future()
    func request() {
      let witness = Witness(isOnMain)
      future.whenReady { _ in
        withExtendedLifetime(witness) {}
        loader.deliver { isCalled.signal() }
      }
    }
    request()
    // This waiter blocks the thread that notifies both waiters until the main actor has called and released the callback above. Until then,
    // that thread retains the callback, too.
    future.wait(.full) { _ in isCalled.wait() }
    Thread.detachNewThread { future.cancel() }
    #expect(await result(of: isOnMain))
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension RecycledViewTests {
  @Test func `binding a view to a new future of the same image ends the former presentation of the view`() async {
    var calls = 0
    let first = fixture.future()
    view.display(
      first, .init(contentModes: (image: .scaleAspectFill, placeholder: .top, failure: .bottom)) { _ in calls += 1 })
    await fixture.serve("a", TestColor.red.jpeg())
    #expect(view.contentMode == .scaleAspectFill)
    let second = fixture.future()
    view.futureImage = second
    #expect(view.contentMode == .scaleAspectFit)
    let before = calls
    first.reload()
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(TestColor.blue.isNearly(view.image?.color))
    #expect(calls == before)
    #expect(view.contentMode == .scaleAspectFit)
    withExtendedLifetime(second) {}
  }

  @Test func `a view bound again to its own future has only the new presentation`() async {
    var calls: [String] = []
    let future = fixture.future()
    view.display(
      future, .init(contentModes: (image: .top, placeholder: .top, failure: .top)) { _ in calls.append("first") })
    await fixture.serve("a", TestColor.red.jpeg())
    calls = []
    view.display(future, .init { _ in calls.append("second") })
    #expect(view.contentMode == .scaleAspectFit)
    future.reload()
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(Set(calls) == ["second"])
  }

  @Test func `a content mode that the app sets during a presentation does not change when the presentation ends`() async {
    let future = fixture.future()
    view.display(future, .init(contentModes: (image: .top, placeholder: .top, failure: .top)))
    await fixture.serve("a", TestColor.red.jpeg())
    view.contentMode = .bottom
    view.futureImage = future
    #expect(view.contentMode == .bottom)
  }

  @Test func `a view whose image is removed is restored to its state before the presentation`() async {
    view.display(
      fixture.future(), .init(contentModes: (image: .top, placeholder: .top, failure: .bottom), retriesOnTap: true))
    await fail()
    #expect(view.recognizers.count == 1)
    view.futureImage = nil
    #expect(view.contentMode == .scaleAspectFit)
    #expect(view.recognizers.isEmpty)
    #expect(!view.isUserInteractionEnabled)
  }

  @Test func `binding another future restores a view to its state before the presentation, even if the former future is gone`() async {
    func present() async {
      let first = fixture.future("first")
      view.display(
        first, .init(contentModes: (image: .top, placeholder: .top, failure: .bottom), retriesOnTap: true))
      await fail()
      view.image = nil
    }
    await present()
    #expect(view.contentMode == .top)
    view.futureImage = fixture.future("second")
    #expect(view.contentMode == .scaleAspectFit)
    #expect(view.recognizers.isEmpty)
    #expect(!view.isUserInteractionEnabled)
  }

  @Test func `the entries of released views are removed from the table of bound places`() {
    let places = BoundPlaces()
    for _ in 0..<1_000 {
      let view = imageView(8)
      let look = PresentedLook()
      look.setContentMode(.top, of: view)
      places.register(.view(view), to: FutureImage.Binding(.view(view), revision: 0, presentation: nil), look)
    }
    #expect(places.count < 8)
  }
}
#endif
