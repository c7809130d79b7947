#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// An image that counts the calls of `withConfiguration(_:)`.
private final class CountingImage: UIImage, @unchecked Sendable {
  // Sendable: only views call `withConfiguration(_:)`, on the main actor.
  private(set) var configurations = 0

  override func withConfiguration(_ configuration: UIImage.Configuration) -> UIImage {
    configurations += 1
    return self
  }
}

extension ImageViewTests {
  /// Row 9 of the report that `Tests/first-run` writes.
  @Test func `changes between light and dark mode remove neither the future of a view nor its image`() async throws {
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
    record(9, "intrinsic size after changes between light and dark mode", view.intrinsicContentSize)
    #expect(view.intrinsicContentSize == CGSize(width: 320, height: 240))
    #expect(view.isDisplaying)
  }

  /// Row 16 of the report that `Tests/first-run` writes.
  @Test func `a view calls withConfiguration of its image, and displays the image if this method returns the image itself`() throws {
    let stage = Stage()
    let view = stage.makeImageView()
    let image = CountingImage(cgImage: try #require(Pixels.plain()))
    view.image = image
    #expect(image.configurations >= 1)
    #expect(view.isDisplaying)
    record(16, "calls of withConfiguration", image.configurations)
  }

  #if canImport(UIKit)
  /// Row 18 of the report that `Tests/first-run` writes. The test calls the setter by its Objective-C name, because Swift allows the call
  /// only on the main actor.
  @Test func `setting the image of a view on another thread does not end the process`() async {
    let stage = Stage()
    let (view, image) = (stage.makeImageView(), Pixels.image())
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        _ = view.perform(NSSelectorFromString("setImage:"), with: image)
        continuation.resume()
      }
    }
    #expect(view.image === image)
    record(18, "displayed after the image is set on another thread", view.isDisplaying)
  }
  #endif
}
#endif
