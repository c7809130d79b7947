import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views that indicate that an image is loading.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct IndicatorTests {
  let fixture = LoaderFixture { $0.retry = .never }
  /// A view of 64 × 48 pixels, in which an image of 1200 × 900 pixels has a width of 75 pixels. This is the smallest width of at least 64
  /// pixels to which the loader reduces such an image (see `DecodeStep`).
  let view = imageView(64)

  private var indicators: [UIView] { view.subviews }

  private func fail(_ name: String = "a") async {
    await fixture.held.waitForHeld()
    fixture.held.fail(LoaderFixture.url(name))
    await fixture.loader.waitForIdle()
  }

  @Test func `a failure removes the indicator, and a retry shows it again until an image arrives`() async {
    let future = fixture.future()
    view.display(future, .init(failureImage: SampleImage.image(30, 30), indicator: .activity))
    await fail()
    #expect(indicators.isEmpty)
    future.reload()
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    #expect(indicators.count == 1)
    await fixture.serve()
    #expect(indicators.isEmpty)
    future.reload()
    await fixture.held.waitForHeld()
    await fixture.loader.delivered()
    #expect(indicators.isEmpty)
    await fixture.serve()
  }

  @Test func `a view with a ready image, or with a presentation without an indicator, shows no indicator`() async throws {
    let future = fixture.future()
    await fixture.serve()
    let image = try await future.value(fitting: .fit(width: 64, height: 48))
    let created = Lock(0)
    let custom = FutureImage.Presentation.Indicator.custom {
      created.withLock { $0 += 1 }
      return UIView()
    }
    view.display(future, .init(indicator: custom))
    #expect(created.withLock { $0 } == 0 && indicators.isEmpty)
    let second = fixture.future("b")
    view.display(second, .init(retriesOnTap: true))
    #expect(indicators.isEmpty)
    withExtendedLifetime(image) {}
  }

  @Test func `an indicator is shown while pixels are decoded from bytes that have arrived`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let future = fixture.future()
    await fixture.serve()
    decoder.close(width: 75)
    view.display(future, .init(indicator: .activity))
    #expect(indicators.count == 1)
    await decoder.waitForHeld()
    #expect(indicators.count == 1)
    decoder.open()
    await fixture.loader.waitForIdle()
    #expect(indicators.isEmpty)
  }

  @Test func `a reused view has only the indicator of its newest future`() async {
    let futures = ["a", "b", "c"].map { fixture.future($0) }
    view.display(futures[0], .init(indicator: .activity))
    let first = indicators.first
    view.display(futures[1], .init(indicator: .activity))
    #expect(indicators.count == 1 && indicators.first !== first && first?.superview == nil)
    view.futureImage = futures[2]
    #expect(indicators.isEmpty)
    await fixture.held.waitForHeld(3)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(indicators.isEmpty)
  }

  @Test func `setting nil, displaying a plain image, and displaying nil each remove the indicator`() async {
    let future = fixture.future()
    let other = SampleImage.image()
    for removeImage in [{ self.view.futureImage = nil }, { self.view.display(other) }, { self.view.display(nil, .init()) }] {
      view.display(future, .init(indicator: .activity))
      #expect(indicators.count == 1)
      removeImage()
      #expect(indicators.isEmpty)
    }
  }

  /// Waits for the next turn of the main actor.
  private func turn() async {
    await withCheckedContinuation { continuation in Scheduling.onMain { continuation.resume() } }
  }

  @Test func `a released future does not remove another future's indicator`() async {
    var first: FutureImage? = fixture.future()
    let second = fixture.future("b")
    view.display(first, .init(indicator: .activity))
    view.display(second, .init(indicator: .activity))
    let indicator = indicators.first
    await fixture.held.waitForHeld(2)
    withExtendedLifetime(first) {}
    first = nil
    await fixture.held.waitForCancellations()
    await fixture.loader.delivered()
    #expect(indicators.count == 1 && indicators.first === indicator)
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `an app's own indicator view may bind its superview to another future when the indicator is added`() async {
    final class Watching: UIView {
      var onWindow: (() -> Void)?
      override func didMoveToWindow() { onWindow?() }
    }
    let second = fixture.future("b")
    let indicator = Watching()
    indicator.onWindow = { [view] in
      indicator.onWindow = nil
      view.futureImage = second
    }
    view.display(fixture.future(), .init(indicator: .custom { indicator }))
    #expect(indicators.isEmpty)
    #expect(view.futureImage === second)
  }
  #endif

  @Test func `if two views display the same future, each view has an indicator`() async {
    let (future, other) = (fixture.future(), imageView(32))
    view.display(future, .init(indicator: .activity))
    other.display(future, .init(indicator: .activity))
    #expect(indicators.count == 1 && other.subviews.count == 1)
    await fixture.serve()
    #expect(indicators.isEmpty && other.subviews.isEmpty)
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension IndicatorTests {
  @Test func `an activity indicator is shown from the binding until the first pixels arrive`() async throws {
    view.display(fixture.future(), .init(indicator: .activity))
    let indicator = try #require(indicators.first as? UIActivityIndicatorView)
    #expect(indicators.count == 1)
    #expect(indicator.isAnimating && !indicator.isHidden && !indicator.isUserInteractionEnabled)
    await fixture.held.waitForHeld()
    let body = SampleImage.jpeg(1200, 900)
    fixture.held.begin(with: body.prefix(body.count / 2), of: body.count)
    await fixture.loader.delivered()
    #expect(indicators.count == 1 && indicators.first === indicator)
    fixture.held.finish(with: body.suffix(from: body.count / 2))
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage?.width == 75)
    #expect(indicators.isEmpty && indicator.superview == nil)
  }

  @Test(arguments: [true, false])
  func `soon after the app sets an image, the indicator is removed and the content mode is restored`(hasPlaceholder: Bool) async {
    let future = fixture.future()
    view.contentMode = .scaleAspectFill
    let modes = (image: UIView.ContentMode.scaleAspectFit, placeholder: UIView.ContentMode.center, failure: UIView.ContentMode.center)
    let placeholder = hasPlaceholder ? SampleImage.image() : nil
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    #expect(indicators.count == 1 && view.contentMode == .center)
    view.image = SampleImage.image()
    // Both happen in the next turn of the main actor.
    await turn()
    #expect(indicators.isEmpty && view.contentMode == .scaleAspectFill)
    // A content mode that the app has set is not changed.
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    view.image = nil
    view.contentMode = .top
    await turn()
    #expect(indicators.isEmpty && view.contentMode == .top)
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    view.image = SampleImage.image()
    // A presentation that begins before that turn continues.
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    await turn()
    #expect(indicators.count == 1 && view.contentMode == .center)
    await fixture.serve()
    #expect(indicators.isEmpty && view.contentMode == .scaleAspectFit)
  }

  @Test func `a button shows the indicator until the image arrives`() async {
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48))
    button.display(fixture.future(), for: .normal, .init(indicator: .activity))
    #expect(button.subviews.contains { $0 is UIActivityIndicatorView })
    await fixture.serve()
    #expect(!button.subviews.contains { $0 is UIActivityIndicatorView })
  }
}
#endif
