import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views after their bindings and presentations have ended.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct EndedBindingTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let view = imageView(64)
  #if canImport(UIKit) || canImport(UIKitStandIn)
  private let modes = (image: UIView.ContentMode.top, placeholder: UIView.ContentMode.top, failure: UIView.ContentMode.top)
  #endif

  private func fail() async {
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
  }

  // MARK: Content modes and indicators

  @Test func `an indicator that the app retains is shown again when a failed image is reloaded`() async {
    let (future, indicator) = (fixture.future(), UIView())
    view.display(future, .init(indicator: .custom { indicator }))
    #expect(indicator.superview === view)
    await fail()
    #expect(indicator.superview == nil)
    future.reload()
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    #expect(indicator.superview === view)
  }

  // MARK: Places

  @Test func `a view that is bound to another future releases the former presentation`() {
    final class Witness {}
    weak var weakWitness: Witness?
    let futures = [fixture.future("a"), fixture.future("b")]
    do {
      let witness = Witness()
      weakWitness = witness
      view.display(futures[0], .init { _ in withExtendedLifetime(witness) {} })
    }
    #expect(weakWitness != nil)
    view.futureImage = futures[1]
    #expect(weakWitness == nil)
  }

  @Test(arguments: [false, true])
  func `if the app has replaced a view's image, the presentation ends when the future is released, even during a disk read`(
    hasIndicator: Bool
  )
    async
  {
    final class Witness {}
    weak var weakWitness: Witness?
    let (tier, indicator) = (HeldTier(), UIView())
    tier.holdReads()
    // Both futures wait for the same read.
    let other = fixture.future(policy: .tiers(disk: tier))
    await tier.waitForReads()
    do {
      let (future, witness) = (fixture.future(policy: .tiers(disk: tier)), Witness())
      weakWitness = witness
      let kind: FutureImage.Presentation.Indicator? = hasIndicator ? .custom { indicator } : nil
      view.display(future, .init(indicator: kind) { _ in withExtendedLifetime(witness) {} })
      #expect((indicator.superview === view) == hasIndicator)
      view.image = SampleImage.image()
    }
    await waitWhile(weakWitness != nil)
    #expect(weakWitness == nil && indicator.superview == nil)
    #expect(fixture.loader.lookupCount == 1)
    tier.release()
    withExtendedLifetime(other) {}
  }

  @Test func `a binding treats a transition's outgoing image as shown until the binding shows another image`() {
    let binding = FutureImage.Binding(.view(view), revision: 0, presentation: FutureImage.Presentation())
    let images = (0..<3).map { _ in SampleImage.image() }
    binding.willShow(images[0])
    binding.presented?.outgoing = images[0]
    binding.willShow(images[1])
    #expect(!binding.isShowing(images[0]) && binding.isShowing(images[1]))
    binding.presented?.outgoing = images[0]
    #expect(binding.isShowing(images[0]) && !binding.isShowing(images[2]))
  }

  // MARK: Code of the app that runs while the loader reads or changes a view

  /// A view that calls a closure after its image has been set, or when it begins to receive touches.
  private final class CallbackView: UIImageView {
    var onImage: ((CallbackView) -> Void)?
    var onTouches: ((CallbackView) -> Void)?

    override var image: UIImage? {
      didSet { onImage.take()?(self) }
    }

    #if canImport(UIKit) || canImport(UIKitStandIn)
    override var isUserInteractionEnabled: Bool {
      didSet { if isUserInteractionEnabled { onTouches.take()?(self) } }
    }
    #endif
  }

  /// An object whose getter runs a closure, and then returns the image that the object had before the closure ran.
  private final class CallbackObject: ImageDisplaying {
    private var stored: UIImage?
    var onGet: (() -> Void)?

    var image: UIImage? {
      get {
        let former = stored
        onGet.take()?()
        return former
      }
      set { stored = newValue }
    }
  }

  @Test func `an object remains bound if the binding gets a new image while the loader is reading the object's image property`() {
    let (object, future, image) = (CallbackObject(), fixture.future(), SampleImage.image())
    object.futureImage = future
    object.onGet = { future.bindings.first?.willShow(image) }
    future.reader?.measureViews()
    #expect(object.onGet == nil)
    #expect(future.bindings.count == 1)
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension EndedBindingTests {
  @Test func `if the app sets an image when a view begins to accept touches, the failure image does not replace that image`() async {
    let (callbackView, future, own) = (CallbackView(frame: view.frame), fixture.future(), SampleImage.image())
    callbackView.display(future, .init(failureImage: SampleImage.image(30, 30), retriesOnTap: true))
    callbackView.onTouches = { $0.image = own }
    await fail()
    #expect(callbackView.onTouches == nil)
    #expect(callbackView.image === own)
  }

  @Test func `measuring ends the tap handling of a view in which the app has set another image`() async {
    let future = fixture.future()
    view.display(future, .init(retriesOnTap: true))
    await fail()
    #expect(view.isUserInteractionEnabled)
    view.image = SampleImage.image()
    future.measureViews()
    #expect(view.recognizers.isEmpty)
    #expect(!view.isUserInteractionEnabled)
  }

  @Test func `a view with a failed image handles no taps if its presentation does not retry on tap`() async {
    let future = fixture.future()
    view.display(future, .init())
    await fail()
    #expect(view.recognizers.isEmpty)
    #expect(!view.isUserInteractionEnabled)
  }

  @Test func `a view whose image fails twice shows the failure image and handles taps after each failure`() async {
    let future = fixture.future()
    view.display(future, .init(failureImage: SampleImage.image(30, 30), retriesOnTap: true))
    await fail()
    // Retains the recognizers, as other code may do.
    let recognizers = view.recognizers
    #expect(recognizers.count == 1)
    future.reload()
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    #expect(view.recognizers.isEmpty)
    await fail()
    #expect(view.image?.cgImage?.width == 30)
    #expect(view.recognizers.count == 1)
    withExtendedLifetime(recognizers) {}
  }

  @Test func `a view with two failed images has only one tap recognizer`() async {
    let futures = [fixture.future("a"), fixture.future("b")]
    view.display(futures[0], .init(retriesOnTap: true))
    FutureImage.Slot.highlightedImage.display(futures[1], in: view, .init(retriesOnTap: true))
    await fixture.held.waitForHeld(2)
    await fail()
    #expect(view.recognizers.count == 1)
  }

  @Test func `a content mode that the app sets after a presentation is not reset, even if the presentation used that mode`() {
    let futures = [fixture.future("a"), fixture.future("b")]
    view.display(futures[0], .init(contentModes: modes))
    view.futureImage = nil
    #expect(view.contentMode == .scaleAspectFit)
    view.contentMode = .top
    view.futureImage = futures[1]
    #expect(view.contentMode == .top)
  }

  @Test func `setting nil removes the indicator of a button, and a plain image removes the indicator of a cell`() {
    func indicators(_ view: UIView) -> Int { view.subviews.count { $0 is UIActivityIndicatorView } }
    let future = fixture.future()
    let button = UIButton(frame: view.frame)
    button.display(future, for: .normal, .init(indicator: .activity))
    #expect(indicators(button) == 1)
    button.display(nil, for: .normal)
    #expect(indicators(button) == 0)

    let cell = UICollectionViewCell(frame: view.frame)
    var content = UIListContentConfiguration.cell()
    content.image = future
    cell.display(content, .init(indicator: .activity))
    #expect(indicators(cell) == 1)
    content.image = SampleImage.image()
    cell.display(content)
    #expect(indicators(cell) == 0)
  }

  @Test func `a new presentation ends only the former presentation of the same view`() {
    let (places, look, other) = (BoundPlaces(), PresentedLook(), imageView(32))
    let bindings = [view, other, view].map { FutureImage.Binding(.view($0), revision: 0, presentation: FutureImage.Presentation()) }
    look.setContentMode(.top, of: view)
    places.register(.view(view), to: bindings[0], look)
    places.register(.view(other), to: bindings[1], PresentedLook())
    #expect(!bindings[0].hasEnded && view.contentMode == .top)
    places.register(.view(view), to: bindings[2], PresentedLook())
    #expect(bindings.map(\.hasEnded) == [true, false, false])
    #expect(view.contentMode == .scaleAspectFit)
  }

  @Test func `after a binding ends, its view stays registered if a content mode must be restored or a tap handler must be removed`() {
    let (places, other) = (BoundPlaces(), imageView(32))
    let (changed, touched) = (PresentedLook(), PresentedLook())
    changed.setContentMode(.top, of: view)
    touched.retryOnTap(of: other) {}
    for (view, look) in [(view, changed), (other, touched)] {
      let binding = FutureImage.Binding(.view(view), revision: 0, presentation: nil)
      binding.end()
      places.register(.view(view), to: binding, look)
    }
    #expect(places.count == 2)
    for view in [view, other] { places.end(.view(view)) }
    #expect(view.contentMode == .scaleAspectFit)
    #expect(other.recognizers.isEmpty)
  }

  @Test func `if the app binds a view to another future during the removal of a preview, the view handles no taps`() async {
    let (callbackView, future, other) = (CallbackView(frame: view.frame), fixture.future("a"), fixture.future("b"))
    callbackView.display(future, .init(retriesOnTap: true))
    future.bindings.first?.presented?.showsPreview = true
    callbackView.onImage = { $0.futureImage = other }
    await fixture.held.waitForHeld(2)
    fixture.held.answer(LoaderFixture.url("a"), FutureImage.Response(status: 404))
    await waitWhile(callbackView.image !== other)
    #expect(callbackView.recognizers.isEmpty)
    #expect(!callbackView.isUserInteractionEnabled)
  }
}
#endif
