#if canImport(UIKit)
import FutureImage
import Testing

extension ButtonTests {
  @Test func `a button with a configuration shows a future as its image`() async throws {
    let stage = Stage()
    let button = UIButton(configuration: .plain())
    button.frame = CGRect(x: 0, y: 0, width: 200, height: 100)
    stage.window.addSubview(button)
    button.display(try stage.future("image"), for: .normal)
    await stage.serve()
    button.layoutIfNeeded()
    #expect(button.currentImage?.size == CGSize(width: 640, height: 480))
    #expect(button.imageView?.isDisplaying == true)
  }

  @Test func `a button with a configuration shows an image as the background of that configuration`() throws {
    let stage = Stage()
    let button = UIButton(configuration: .plain())
    button.frame = CGRect(x: 0, y: 0, width: 200, height: 100)
    stage.window.addSubview(button)
    let image = Pixels.image()
    button.setBackgroundImage(image, for: .normal)
    button.layoutIfNeeded()
    // It is unknown whether UIKit shows this image, so the test only records it.
    record(10, "a button with a configuration shows the image of setBackgroundImage", shows(image, in: button))
    button.configuration?.background.image = image
    button.layoutIfNeeded()
    #expect(shows(image, in: button))
  }

  @Test func `a button with a configuration shows a future as the background of that configuration`() async throws {
    let stage = Stage()
    let button = UIButton(configuration: .plain())
    button.frame = CGRect(x: 0, y: 0, width: 200, height: 100)
    stage.window.addSubview(button)
    FutureImage.Slot.backgroundImage(for: .normal).display(try stage.future("background"), in: button)
    await stage.serve()
    button.layoutIfNeeded()
    let image = try #require(button.configuration?.background.image)
    #expect(image.size == CGSize(width: 640, height: 480))
    #expect(shows(image, in: button))
  }

  private func shows(_ image: UIImage, in view: UIView) -> Bool {
    if let view = view as? UIImageView, view.image === image, view.isDisplaying { return true }
    return view.subviews.contains { shows(image, in: $0) }
  }
}
#endif
