#if canImport(AppKit) && !canImport(UIKit)
import FutureImage
import FutureImageTesting
import Testing

/// Buttons that show futures.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ButtonTests {
  private let stage = Stage()

  private func button() -> NSButton {
    let button = NSButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48))
    stage.content.addSubview(button)
    return button
  }

  @Test func `a button shows one future as its image, and another future as its alternate image`() async throws {
    let button = button()
    button.display(try stage.future("off"))
    button.displayAlternate(try stage.future("on"))
    try await stage.fetcher.waitForHeld(2)
    stage.fetcher.resolve(try stage.url("off"), with: TestImage(color: .red).jpeg)
    stage.fetcher.resolve(try stage.url("on"), with: TestImage(color: .blue).jpeg)
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(isNearly(button.image?.color, .red))
    #expect(isNearly(button.alternateImage?.color, .blue))
  }

  @Test func `an image that the app sets in a button is not replaced, and the alternate image still arrives`() async throws {
    let (button, own) = (button(), NSImage(size: CGSize(width: 8, height: 8)))
    button.display(try stage.future("off"))
    button.displayAlternate(try stage.future("on"))
    button.image = own
    try await stage.serve()
    #expect(button.image === own)
    #expect(button.alternateImage?.pixelWidth != nil)
  }

  @Test func `a button decodes no more pixels than it shows`() async throws {
    let (button, alternate) = (button(), button())
    for button in [button, alternate] {
      button.imageScaling = .scaleProportionallyDown
      button.frame.size = CGSize(width: 160, height: 120)
    }
    button.display(try stage.future("off"))
    alternate.displayAlternate(try stage.future("on"))
    try await stage.fetcher.waitForHeld(2)
    try await stage.serve()
    let width = Int(button.convertToBacking(CGSize(width: 160, height: 120)).width)
    #expect([button.image?.pixelWidth, alternate.alternateImage?.pixelWidth] == [width, width])
  }

  @Test func `displaying nil removes the alternate image`() async throws {
    let button = button()
    button.displayAlternate(try stage.future())
    try await stage.serve()
    button.displayAlternate(nil)
    #expect(button.alternateImage == nil)
  }
}
#endif
