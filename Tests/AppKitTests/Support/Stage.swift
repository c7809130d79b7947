#if canImport(AppKit) && !canImport(UIKit)
import FutureImage
import FutureImageTesting
import Testing

/// A loader whose responses wait for the test, and a window that shows its images.
@MainActor final class Stage {
  let fetcher = HeldFetcher()
  let loader: FutureImage.Loader
  let window: NSWindow
  let content = NSView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  /// - Parameter scale: the number of pixels in a point of the window's screen. On a Mac, the screen determines it.
  init(scale: CGFloat = 1) {
    loader = FutureImage.Loader(.held(by: fetcher))
    _ = NSApplication.shared
    #if canImport(ObjectiveC)
    window = NSWindow(contentRect: content.frame, styleMask: [.titled], backing: .buffered, defer: false)
    #else
    window = NSWindow(backingScaleFactor: scale)
    #endif
    window.contentView = content
  }

  func url(_ name: String = "a") throws -> URL { try #require(URL(string: "https://images.test/\(name)")) }

  func future(
    _ name: String = "a", placeholder: BaseImage? = nil, transform: FutureImage.Transform? = nil
  ) throws -> FutureImage {
    FutureImage(.url(try url(name)), placeholder: placeholder.map { .image($0) }, transform: transform, loader: loader)
  }

  /// Answers the held requests, and returns when views show the result.
  func serve(_ data: Data = TestImage(width: 1280, height: 960, color: .red).jpeg) async throws {
    try await fetcher.waitForHeld()
    fetcher.resolve(with: data)
    try await loader.waitUntilIdle(within: .standard)
  }

  /// Answers the held requests with a permanent failure.
  func fail() async throws {
    try await fetcher.waitForHeld()
    fetcher.answer(nil, FutureImage.Response(status: 404))
    try await loader.waitUntilIdle(within: .standard)
  }

  func imageView(_ width: CGFloat = 160, _ height: CGFloat = 120) -> NSImageView {
    let view = NSImageView(frame: CGRect(x: 0, y: 0, width: width, height: height))
    content.addSubview(view)
    return view
  }
}

extension NSImage {
  /// The width in pixels of the image's representation; nil without one.
  @MainActor var pixelWidth: Int? {
    var box = CGRect(origin: .zero, size: size)
    guard size.width > 0, size.height > 0 else { return nil }
    // The box is used only during the call.
    return cgImage(forProposedRect: &box, context: nil, hints: nil)?.width
  }

  /// The color of the pixel in the middle: red, green, blue, and alpha; nil without a representation.
  @MainActor var color: SIMD4<UInt8>? {
    var box = CGRect(origin: .zero, size: size)
    // The box is used only during the call.
    guard size.width > 0, size.height > 0, let bitmap = cgImage(forProposedRect: &box, context: nil, hints: nil) else { return nil }
    return FutureImage.PixelBuffer(bitmap, scale: 1)?[bitmap.width / 2, bitmap.height / 2]
  }
}

/// Whether a color is nearly that of a test image.
func isNearly(_ color: SIMD4<UInt8>?, _ expected: TestImage.Color) -> Bool {
  guard let color else { return false }
  let channels = [(color.x, expected.red), (color.y, expected.green), (color.z, expected.blue)]
  return channels.allSatisfy { abs(Int($0) - Int($1)) <= 12 }
}
#endif
