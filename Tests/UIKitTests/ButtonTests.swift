#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// Row 10 of the report that `Tests/first-run` writes: futures in buttons.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ButtonTests {
  private let stage = Stage()

  @Test func `UIKit's plain button shows a future as its image and as its background`() async throws {
    let button = UIButton(type: .custom)
    button.frame = CGRect(x: 0, y: 0, width: 100, height: 44)
    stage.window.addSubview(button)
    button.display(try stage.future("image"), for: .normal)
    await stage.serve()
    FutureImage.Slot.backgroundImage(for: .normal).display(try stage.future("background"), in: button)
    await stage.serve()
    #expect(button.currentImage?.size == CGSize(width: 640, height: 480))
    #expect(button.currentBackgroundImage?.size == CGSize(width: 640, height: 480))
    #expect(FutureImage.Slot.image(for: .normal).futureImage(of: button) == nil)
    #if canImport(UIKit)
    #expect(button.imageView?.isDisplaying == true)
    #endif
  }
}
#endif
