#if canImport(UIKitStandIn) && !canImport(UIKit)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Bars and system buttons draw an image with automatic rendering mode as a template, so a photo would be a rectangle in the tint color.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ChromeTests {
  let fixture = LoaderFixture()

  private func buttons() -> [UIButton] {
    let buttons = [UIButton(type: .system), UIButton(configuration: .plain()), UIButton(configuration: .filled()), UIButton(type: .custom)]
    for button in buttons { button.frame = CGRect(x: 0, y: 0, width: 100, height: 75) }
    return buttons
  }

  @Test func `in the UIKit stand-in, every button except a custom button draws an image with automatic rendering mode as a template`() {
    let drawn = buttons().map { button in
      button.setImage(SampleImage.image(), for: .normal)
      button.layoutIfNeeded()
      return button.drawsTemplate
    }
    #expect(drawn == [true, true, true, false])
  }

  @Test func `every kind of button shows a photo in its own colors`() async {
    let (buttons, future) = (buttons(), fixture.future())
    for button in buttons { button.display(future, for: .normal) }
    await fixture.serve()
    for button in buttons {
      button.layoutIfNeeded()
      #expect(button.displayedImage?.content != nil && !button.drawsTemplate)
      #expect(button.displayedImage?.size == CGSize(width: 1200, height: 900))
      #expect(FutureImage.Slot.image(for: .normal).futureImage(of: button) == nil)
    }
    #expect(buttons.allSatisfy { $0.displayedImage === buttons[0].displayedImage })
  }

  @Test func `a button shows a reduced photo in the photo's own colors until more pixels arrive`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let (small, button) = (imageView(50), buttons()[0])
    let future = fixture.future()
    small.futureImage = future
    await fixture.serve()
    decoder.close()
    button.frame = CGRect(x: 0, y: 0, width: 1000, height: 750)
    button.display(future, for: .normal)
    button.layoutIfNeeded()
    #expect(button.displayedImage?.content === small.image?.cgImage && !button.drawsTemplate)
    decoder.open()
    await fixture.loader.waitForIdle()
    button.layoutIfNeeded()
    #expect(button.displayedImage?.content.map { $0.width >= 1000 } == true && !button.drawsTemplate)
  }

  @Test func `if a future has the template rendering mode, a button shows the future's image as a template`() async {
    let button = buttons()[0]
    let template = fixture.future().withRenderingMode(.alwaysTemplate)
    button.display(template, for: .normal)
    await fixture.serve()
    button.layoutIfNeeded()
    #expect(button.displayedImage?.content != nil && button.drawsTemplate)
  }

  @Test func `a button keeps the colors of a placeholder that is made from a hash, and draws a symbol in the tint color`() throws {
    let (photo, symbol) = (buttons()[0], buttons()[0])
    let hash = FutureImage.Placeholder.blurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    photo.display(FutureImage(at: LoaderFixture.url(), placeholder: hash, loader: fixture.loader), for: .normal)
    photo.layoutIfNeeded()
    #expect(photo.displayedImage?.content != nil && !photo.drawsTemplate)
    let glyph = SampleImage.image(40, 40).symbol(nil).withRenderingMode(.automatic)
    symbol.display(fixture.future("b", placeholder: glyph), for: .normal)
    symbol.layoutIfNeeded()
    #expect(symbol.drawsTemplate)
  }

  @Test func `a bar button item shows a photo as a template unless the item's slot has the rendering mode alwaysOriginal`() async {
    let (item, tinted) = (UIBarButtonItem(), UIBarButtonItem())
    let future = fixture.future()
    FutureImage.Slot(\UIBarButtonItem.image, renderingMode: .alwaysOriginal).display(future, in: item)
    FutureImage.Slot(\UIBarButtonItem.image).display(future, in: tinted)
    await fixture.serve()
    #expect(item.image?.cgImage != nil && !item.drawsTemplate)
    #expect(tinted.image?.cgImage != nil && tinted.drawsTemplate)
  }

  @Test func `a reload replaces the photo in a button, and the new photo has the original rendering mode`() async {
    let button = buttons()[0]
    let future = fixture.future()
    button.display(future, for: .normal)
    await fixture.serve("a", TestColor.red.jpeg())
    future.reload()
    await fixture.serve("a", TestColor.blue.jpeg())
    #expect(TestColor.blue.isNearly(button.currentImage?.color) && button.currentImage?.renderingMode == .alwaysOriginal)
  }
}
#endif
