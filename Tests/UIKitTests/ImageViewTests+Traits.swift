import FutureImage
import Testing

/// An image that counts how often a view asks it for a copy with other traits.
private final class CountingImage: UIImage, @unchecked Sendable {
  // Sendable: only views on the main actor ask for copies.
  private(set) var configurations = 0

  override func withConfiguration(_ configuration: UIImage.Configuration) -> UIImage {
    configurations += 1
    return self
  }
}

extension ImageViewTests {
  /// Row 9.
  @Test func `a future survives a change to dark mode`() async throws {
    let stage = Stage()
    let view = stage.makeImageView()
    let future = try stage.future(size: CGSize(width: 320, height: 240))
    stage.window.overrideUserInterfaceStyle = .light
    view.futureImage = future
    stage.window.overrideUserInterfaceStyle = .dark
    stage.window.layoutIfNeeded()
    #expect(view.futureImage === future)
    #expect(view.intrinsicContentSize == CGSize(width: 320, height: 240))
    await stage.serve()
    stage.window.overrideUserInterfaceStyle = .light
    stage.window.layoutIfNeeded()
    #expect(view.intrinsicContentSize == CGSize(width: 320, height: 240))
    #expect(view.isDisplaying)
  }

  /// Row 16.
  @Test func `a view calls withConfiguration and displays an image that returns itself`() throws {
    let stage = Stage()
    let view = stage.makeImageView()
    let image = CountingImage(cgImage: try #require(Pixels.plain()))
    view.image = image
    #expect(image.configurations >= 1)
    #expect(view.isDisplaying)
    record(16, "calls of withConfiguration", image.configurations)
  }

  #if canImport(UIKit)
  /// Row 18. Calls the setter by its Objective-C name, because Swift refuses to call it off the main actor.
  @Test func `an image that is set off the main thread does not end the process`() async {
    let stage = Stage()
    let (view, image) = (stage.makeImageView(), Pixels.image())
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = view.perform(NSSelectorFromString("setImage:"), with: image)
        continuation.resume()
      }
    }
    #expect(view.image === image)
    record(18, "displayed after a write off the main thread", view.isDisplaying)
  }
  #endif
}
