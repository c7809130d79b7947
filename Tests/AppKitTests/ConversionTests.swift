#if canImport(AppKit) && !canImport(UIKit)
import FutureImage
import FutureImageTesting
import Testing

/// Images and colors of AppKit that the library accepts or returns. The facts with numbers, such as M10, are listed in
/// `Tests/AppleFrameworks.md`.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ConversionTests {
  private let stage = Stage()

  @Test func `an image from nsImage(fitting:) has the requested pixel width, and the size in points of the full image`() async throws {
    let future = try stage.future()
    async let image = future.nsImage(fitting: .fit(FutureImage.PixelSize(width: 320, height: 320)))
    try await stage.serve()
    let shown = try await image
    #expect(shown.pixelWidth == 320)
    #expect(shown.size == CGSize(width: 1280, height: 960))
  }

  @Test func `an NSImage that is converted to a BaseImage keeps its size in points and its scale`() throws {
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    let image = try #require(BaseImage(BaseImage(cgImage: bitmap, scale: 2, orientation: .up).nsImage))
    #expect(image.size == CGSize(width: 4, height: 2))
    #expect(image.scale == 2)
  }

  @Test func `an NSImage that is a template is converted to a BaseImage with the template rendering mode`() throws {
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    let template = BaseImage(cgImage: bitmap).nsImage
    template.isTemplate = true
    #expect(BaseImage(template)?.renderingMode == .alwaysTemplate)
    #expect(BaseImage(BaseImage(cgImage: bitmap).nsImage)?.renderingMode == .automatic)
  }

  /// Tests a consequence of the fact M10: the contents of a layer are a bitmap, which has no orientation.
  @Test func `the upright bitmap of an image with an orientation can be the contents of a layer`() throws {
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    #expect(BaseImage(cgImage: bitmap, scale: 1, orientation: .right).uprightBitmap?.width == 4)
  }

  @Test func `a BaseImage that is converted to an NSImage and back keeps its size in points`() throws {
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    let image = BaseImage(cgImage: bitmap, scale: 2, orientation: .up).nsImage
    #expect(image.representations.map(\.size) == [CGSize(width: 4, height: 2)])
    #expect(BaseImage(image, scale: 1)?.size == CGSize(width: 4, height: 2))
  }

  @Test func `if a placeholder is a template image, a view shows it at the placeholder's size, not at the future's known size`() throws {
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    let template = BaseImage(cgImage: bitmap).nsImage
    template.isTemplate = true
    let view = stage.imageView()
    let source = FutureImage.Source.url(try stage.url())
    let future = FutureImage(
      source, placeholder: .image(try #require(BaseImage(template))), size: CGSize(width: 1280, height: 960),
      loader: stage.loader)
    view.futureImage = future
    #expect(view.image?.size == CGSize(width: 8, height: 4))
    #expect(view.image?.isTemplate == true)
  }

  @Test func `a menu item shows a future`() async throws {
    #if canImport(ObjectiveC)
    let item = NSMenuItem(title: "Open", action: nil, keyEquivalent: "")
    #else
    let item = NSMenuItem()
    #endif
    let slot = FutureImage.Slot(\NSMenuItem.image, pixelFitting: { _ in .fit(FutureImage.PixelSize(width: 320, height: 320)) })
    slot.display(try stage.future(), in: item)
    #expect(slot.futureImage(of: item) != nil)
    try await stage.serve()
    #expect(item.image?.pixelWidth == 320)
    #expect(isNearly(item.image?.color, .red))
  }

  @Test func `an NSImage without pixels cannot be converted to a BaseImage`() {
    #expect(BaseImage(NSImage(size: .zero)) == nil)
  }

  /// Tests a consequence of the fact M11: on a Mac, `getRed` raises an exception for a color in a gray space.
  @Test func `a tint and a border can have a color of a gray color space`() async throws {
    let future = try stage.future(transform: .tint(.white).then(.border(40, .white)))
    let view = stage.imageView()
    view.futureImage = future
    try await stage.serve()
    #expect(isNearly(view.image?.color, TestImage.Color(red: 255, green: 255, blue: 255)))
  }

  @Test func `a tint with a pattern color does not end the program`() async throws {
    let future = try stage.future(transform: .tint(NSColor(patternImage: NSImage(size: CGSize(width: 2, height: 2)))))
    let view = stage.imageView()
    view.futureImage = future
    try await stage.serve()
    #expect(view.image?.pixelWidth != nil)
  }
}
#endif
