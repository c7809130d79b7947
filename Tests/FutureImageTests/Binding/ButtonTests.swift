#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Futures in buttons. A button with a configuration ignores the background images that are set for its states.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ButtonTests {
  let fixture = LoaderFixture()

  private func button(_ configuration: UIButton.Configuration?) -> UIButton {
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 75))
    button.configuration = configuration
    return button
  }

  @Test func `a button without a configuration shows a future as its image and as its background`() async {
    let button = button(nil)
    let future = fixture.future()
    button.display(future, for: .normal)
    FutureImage.Slot.backgroundImage(for: .normal).display(future, in: button)
    await fixture.serve()
    button.layoutIfNeeded()
    #expect(button.displayedImage?.cgImage != nil && button.displayedBackgroundImage?.cgImage != nil)
    #expect(button.displayedBackgroundImage?.size == CGSize(width: 1200, height: 900))
  }

  @Test func `a button with a configuration shows a future as its image and as its background`() async {
    let button = button(.plain())
    let future = fixture.future()
    button.display(future, for: .normal)
    FutureImage.Slot.backgroundImage(for: .normal).display(future, in: button)
    #expect(FutureImage.Slot.backgroundImage(for: .normal).futureImage(of: button) === future)
    await fixture.serve()
    button.layoutIfNeeded()
    #expect(button.displayedImage?.cgImage != nil && button.displayedBackgroundImage?.cgImage != nil)
    #expect(FutureImage.Slot.backgroundImage(for: .normal).futureImage(of: button) == nil)
    #expect(button.configuration?.background.image === button.displayedBackgroundImage)
  }

  @Test func `displaying nil removes the background image of a button with a configuration`() {
    let button = button(.plain())
    let future = fixture.future()
    FutureImage.Slot.backgroundImage(for: .normal).display(future, in: button)
    FutureImage.Slot.backgroundImage(for: .normal).display(nil, in: button)
    #expect(button.configuration?.background.image == nil)
  }

  @Test func `a view that fades to its image still receives touches`() async {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    let view = imageView(100)
    window.addSubview(view)
    let future = fixture.future()
    view.display(future, .init(transition: .fade(seconds: 10)))
    view.isUserInteractionEnabled = true
    var taps = 0
    let recognizer = UITapGestureRecognizer { taps += 1 }
    view.addGestureRecognizer(recognizer)
    await fixture.serve()
    recognizer.recognize()
    #expect(taps == 1)
    // The transition may have ended, so the options of a new transition are checked.
    var options: UIView.AnimationOptions = []
    if case .animated(let found, _) = FutureImage.Presentation.Transition.fade() { options = found }
    #expect(options.contains(.allowUserInteraction))
  }
}
#endif
