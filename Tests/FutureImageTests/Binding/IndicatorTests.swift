import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Views that indicate that an image is loading.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct IndicatorTests {
  let shop = Shop { $0.retry = .never }
  let view = imageView(64)

  private var indicators: [UIView] { view.subviews }

  private func fail(_ name: String = "a") async {
    await shop.held.waitForHeld()
    shop.held.fail(Shop.url(name))
    await shop.loader.waitUntilSettled()
  }

  @Test func `an activity indicator runs from the binding to the first pixels`() async throws {
    view.display(shop.future(), .init(indicator: .activity))
    let indicator = try #require(indicators.first as? UIActivityIndicatorView)
    #expect(indicators.count == 1)
    #expect(indicator.isAnimating && !indicator.isHidden && !indicator.isUserInteractionEnabled)
    await shop.held.waitForHeld()
    let body = Picture.jpeg(1200, 900)
    shop.held.begin(with: body.prefix(body.count / 2), of: body.count)
    await shop.loader.delivered()
    #expect(indicators.count == 1 && indicators.first === indicator)
    shop.held.finish(with: body.suffix(from: body.count / 2))
    await shop.loader.waitUntilSettled()
    #expect(view.image?.cgImage?.width == 75)
    #expect(indicators.isEmpty && indicator.superview == nil)
  }

  @Test func `a failure ends the indicator, and a retry shows it again`() async {
    let future = shop.future()
    view.display(future, .init(failureImage: Picture.image(30, 30), indicator: .activity))
    await fail()
    #expect(indicators.isEmpty)
    future.reload()
    await shop.held.waitForHeld()
    await shop.loader.delivered()
    #expect(indicators.count == 1)
    await shop.serve()
    #expect(indicators.isEmpty)
    future.reload()
    await shop.held.waitForHeld()
    await shop.loader.delivered()
    #expect(indicators.isEmpty)
    await shop.serve()
  }

  @Test func `a ready image and a presentation without an indicator show none`() async throws {
    let future = shop.future()
    await shop.serve()
    let image = try await future.value(fitting: .fit(width: 64, height: 48))
    let made = Lock(0)
    let custom = FutureImage.Presentation.Indicator.custom {
      made.withLock { $0 += 1 }
      return UIView()
    }
    view.display(future, .init(indicator: custom))
    #expect(made.withLock { $0 } == 0 && indicators.isEmpty)
    let second = shop.future("b")
    view.display(second, .init(retriesOnTap: true))
    #expect(indicators.isEmpty)
    withExtendedLifetime(image) {}
  }

  @Test func `an indicator is shown while pixels are decoded from bytes on disk`() async {
    let decoder = GatedDecoder()
    let shop = Shop { $0.decoder = decoder }
    let future = shop.future()
    await shop.serve()
    decoder.close(width: 75)
    view.display(future, .init(indicator: .activity))
    #expect(indicators.count == 1)
    await decoder.waitForHeld()
    #expect(indicators.count == 1)
    decoder.open()
    await shop.loader.waitUntilSettled()
    #expect(indicators.isEmpty)
  }

  @Test func `a reused view has only the indicator of its newest future`() async {
    let futures = ["a", "b", "c"].map { shop.future($0) }
    view.display(futures[0], .init(indicator: .activity))
    let first = indicators.first
    view.display(futures[1], .init(indicator: .activity))
    #expect(indicators.count == 1 && indicators.first !== first && first?.superview == nil)
    view.futureImage = futures[2]
    #expect(indicators.isEmpty)
    await shop.held.waitForHeld(3)
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.waitUntilSettled()
    #expect(indicators.isEmpty)
  }

  @Test func `nil, a plain image, and display each remove the indicator`() async {
    let future = shop.future()
    let other = Picture.image()
    for take in [{ self.view.futureImage = nil }, { self.view.display(other) }, { self.view.display(nil, .init()) }] {
      view.display(future, .init(indicator: .activity))
      #expect(indicators.count == 1)
      take()
      #expect(indicators.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `an image that the app sets ends the indicator and the content mode in the next turn`(hasPlaceholder: Bool) async {
    let future = shop.future()
    view.contentMode = .scaleAspectFill
    let modes = FutureImage.Presentation.ContentModes(picture: .scaleAspectFit, placeholder: .center, failure: .center)
    let placeholder = hasPlaceholder ? Picture.image() : nil
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    #expect(indicators.count == 1 && view.contentMode == .center)
    view.image = Picture.image()
    await turn()
    #expect(indicators.isEmpty && view.contentMode == .scaleAspectFill)
    // The app's own mode stays.
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    view.image = nil
    view.contentMode = .top
    await turn()
    #expect(indicators.isEmpty && view.contentMode == .top)
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    view.image = Picture.image()
    view.display(future, .init(placeholder: placeholder, contentModes: modes, indicator: .activity))
    await turn()
    #expect(indicators.count == 1 && view.contentMode == .center)
    await shop.serve()
    #expect(indicators.isEmpty && view.contentMode == .scaleAspectFit)
  }

  private func turn() async {
    await withCheckedContinuation { continuation in Scheduling.onMain { continuation.resume() } }
  }

  @Test func `a released future does not remove another future's indicator`() async {
    var first: FutureImage? = shop.future()
    let second = shop.future("b")
    view.display(first, .init(indicator: .activity))
    view.display(second, .init(indicator: .activity))
    let indicator = indicators.first
    await shop.held.waitForHeld(2)
    withExtendedLifetime(first) {}
    first = nil
    await shop.held.waitForCancellations()
    await shop.loader.delivered()
    #expect(indicators.count == 1 && indicators.first === indicator)
  }

  #if canImport(UIKitStandIn) && !canImport(UIKit)
  @Test func `an app's own indicator view may bind another future when it is added`() async {
    final class Watching: UIView {
      var onWindow: (() -> Void)?
      override func didMoveToWindow() { onWindow?() }
    }
    let second = shop.future("b")
    let indicator = Watching()
    indicator.onWindow = { [view] in
      indicator.onWindow = nil
      view.futureImage = second
    }
    view.display(shop.future(), .init(indicator: .custom { indicator }))
    #expect(indicators.isEmpty)
    #expect(view.futureImage === second)
  }
  #endif

  @Test func `a button shows the indicator until the image arrives`() async {
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48))
    button.display(shop.future(), for: .normal, .init(indicator: .activity))
    #expect(button.subviews.contains { $0 is UIActivityIndicatorView })
    await shop.serve()
    #expect(!button.subviews.contains { $0 is UIActivityIndicatorView })
  }

  @Test func `two views of one future each have an indicator`() async {
    let (future, other) = (shop.future(), imageView(32))
    view.display(future, .init(indicator: .activity))
    other.display(future, .init(indicator: .activity))
    #expect(indicators.count == 1 && other.subviews.count == 1)
    await shop.serve()
    #expect(indicators.isEmpty && other.subviews.isEmpty)
  }
}
