#if canImport(AppKit) && !canImport(UIKit)
import FutureImage
import FutureImageTesting
import Testing

/// The pixels that views of AppKit need.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MeasuringTests {
  @Test(arguments: [NSImageScaling.scaleProportionallyDown, .scaleProportionallyUpOrDown])
  func `proportional scaling decodes no more pixels than the view shows`(_ scaling: NSImageScaling) async throws {
    let stage = Stage()
    let view = stage.imageView(160, 160)
    view.imageScaling = scaling
    view.futureImage = try stage.future()
    try await stage.serve()
    #expect(view.image?.pixelWidth == Int(view.convertToBacking(CGSize(width: 160, height: 160)).width))
  }

  @Test func `a view that scales both axes independently gets enough pixels to cover the view`() async throws {
    let stage = Stage()
    let view = stage.imageView(160, 240)
    view.imageScaling = .scaleAxesIndependently
    view.futureImage = try stage.future()
    try await stage.serve()
    #expect(view.image?.pixelWidth == Int(view.convertToBacking(CGSize(width: 320, height: 240)).width))
  }

  @Test func `a view without scaling gets every pixel`() async throws {
    let stage = Stage()
    let view = stage.imageView()
    view.imageScaling = .scaleNone
    view.futureImage = try stage.future()
    try await stage.serve()
    #expect(view.image?.pixelWidth == 1280)
  }

  @Test func `the scaling of a presentation decides how many pixels are decoded`() async throws {
    let stage = Stage()
    let view = stage.imageView(160, 160)
    view.display(
      try stage.future(), .init(contentModes: (image: .scaleProportionallyDown, placeholder: .scaleNone, failure: .scaleNone)))
    try await stage.serve()
    #expect(view.image?.pixelWidth == Int(view.convertToBacking(CGSize(width: 160, height: 160)).width))
  }

  @Test func `a view that grows gets more pixels`() async throws {
    let stage = Stage()
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    try await stage.serve()
    let before = try #require(view.image?.pixelWidth)
    view.frame.size = CGSize(width: 320, height: 240)
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(view.image?.pixelWidth == 2 * before)
  }

  @Test func `a view that is bound without a size is measured when it gets a size`() async throws {
    let stage = Stage()
    let (view, future) = (stage.imageView(0, 0), try stage.future())
    view.futureImage = future
    view.frame.size = CGSize(width: 160, height: 120)
    try await stage.serve()
    #expect(view.image?.pixelWidth == Int(view.convertToBacking(CGSize(width: 160, height: 120)).width))
  }

  #if !canImport(ObjectiveC)
  @Test func `a view gets more pixels only after people have stopped resizing its window`() async throws {
    let stage = Stage()
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    try await stage.serve()
    try await stage.window.resize(view, through: [CGSize(width: 320, height: 240), CGSize(width: 640, height: 480)]) {
      try await stage.loader.waitUntilIdle(within: .standard)
      #expect(view.image?.pixelWidth == 160)
    }
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(view.image?.pixelWidth == 640)
  }

  // A test cannot move a window to another display of a Mac.
  @Test func `a view on a display with two pixels per point is measured in pixels, not in points`() async throws {
    let stage = Stage(scale: 2)
    let view = stage.imageView()
    view.futureImage = try stage.future()
    try await stage.serve()
    #expect(view.image?.pixelWidth == 320)
  }

  @Test func `a view gets more pixels when its window moves to a sharper display`() async throws {
    let stage = Stage(scale: 1)
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    try await stage.serve()
    #expect(view.image?.pixelWidth == 160)
    stage.window.move(toScale: 2)
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(view.image?.pixelWidth == 320)
  }

  @Test func `a view that enters a window is measured again`() async throws {
    let stage = Stage(scale: 2)
    let (view, future) = (NSImageView(frame: CGRect(x: 0, y: 0, width: 160, height: 120)), try stage.future())
    view.futureImage = future
    try await stage.serve()
    #expect(view.image?.pixelWidth == 160)
    stage.content.addSubview(view)
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(view.image?.pixelWidth == 320)
  }
  #endif

  @Test func `a view that enters a dark window shows the image for dark mode`() async throws {
    let stage = Stage()
    stage.content.appearance = NSAppearance(named: .darkAqua)
    let view = NSImageView(frame: CGRect(x: 0, y: 0, width: 160, height: 120))
    let source = FutureImage.Source.url(try stage.url("light")).inDarkMode(use: .url(try stage.url("dark")))
    let future = FutureImage(source, loader: stage.loader)
    view.futureImage = future
    try await stage.serve(TestImage(color: .red).jpeg)
    stage.content.addSubview(view)
    try await stage.serve(TestImage(color: .blue).jpeg)
    #expect(isNearly(view.image?.color, .blue))
    #expect(view.futureImage === future)
  }

  @Test(arguments: [NSAppearance.Name.darkAqua, .accessibilityHighContrastDarkAqua])
  func `a view shows the image for dark mode after its appearance becomes dark`(_ dark: NSAppearance.Name) async throws {
    let stage = Stage()
    let view = stage.imageView()
    view.appearance = NSAppearance(named: .aqua)
    let source = FutureImage.Source.url(try stage.url("light")).inDarkMode(use: .url(try stage.url("dark")))
    let future = FutureImage(source, loader: stage.loader)
    view.futureImage = future
    try await stage.serve(TestImage(color: .red).jpeg)
    #expect(isNearly(view.image?.color, .red))
    view.appearance = NSAppearance(named: dark)
    try await stage.serve(TestImage(color: .blue).jpeg)
    #expect(isNearly(view.image?.color, .blue))
    #expect(view.futureImage === future)
  }
}
#endif
