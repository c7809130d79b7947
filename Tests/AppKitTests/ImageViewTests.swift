#if canImport(AppKit) && !canImport(UIKit)
import FutureImageTesting
import Testing

@testable import FutureImage

/// Image views that show futures. The facts with numbers, such as M1, are listed in `Tests/AppleFrameworks.md`.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ImageViewTests {
  private let stage = Stage()

  @Test func `an image view shows the loaded image of its future as an NSImage`() async throws {
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    #expect(view.futureImage === future)
    try await stage.serve()
    #expect(isNearly(view.image?.color, .red))
    // The property is nil after the view has all the pixels that it needs.
    #expect(view.futureImage == nil)
  }

  /// Tests a consequence of the fact M1: the view retains the image that it gets, and does not copy it.
  @Test func `if the app sets a waiting view's current image in that view again, the view stays bound to its future`() throws {
    let (view, placeholder) = (stage.imageView(), BaseImage())
    let future = try stage.future(placeholder: placeholder)
    view.futureImage = future
    let bound = try #require(view.image)
    view.image = bound
    #expect(view.futureImage === future)
  }

  @Test func `if only a view retains a future, emptying the view cancels the transfer`() async throws {
    let view = stage.imageView()
    view.futureImage = try stage.future()
    try await stage.fetcher.waitForRequests()
    view.image = nil
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(stage.fetcher.cancelledCount == 1)
  }

  @Test func `an image that the app sets ends the binding`() async throws {
    let (view, future, other) = (stage.imageView(), try stage.future(), NSImage(size: CGSize(width: 8, height: 8)))
    view.futureImage = future
    view.image = other
    #expect(view.futureImage == nil)
    async let value = future.value
    try await stage.serve()
    _ = try await value
    #expect(view.image === other)
  }

  @Test func `if two futures are set in one image view, the view shows only the image of the second future`() async throws {
    let (view, first, second) = (stage.imageView(), try stage.future("first"), try stage.future("second"))
    view.futureImage = first
    view.futureImage = second
    try await stage.fetcher.waitForHeld()
    stage.fetcher.resolve(try stage.url("second"), with: TestImage(color: .blue).jpeg)
    stage.fetcher.resolve(try stage.url("first"), with: TestImage(color: .red).jpeg)
    try await stage.loader.waitUntilIdle(within: .standard)
    #expect(isNearly(view.image?.color, .blue))
  }

  @Test func `setting nil removes the image and ends the binding`() async throws {
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    view.futureImage = nil
    #expect(view.image == nil)
    async let value = future.value
    try await stage.serve()
    _ = try await value
    #expect(view.image == nil)
  }

  @Test func `a view shows the new image after a reload`() async throws {
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    try await stage.serve(TestImage(color: .red).jpeg)
    future.reload()
    try await stage.serve(TestImage(color: .blue).jpeg)
    #expect(isNearly(view.image?.color, .blue))
  }

  @Test func `a view displays any image, and shows the placeholder if the image is nil`() throws {
    let view = stage.imageView()
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    view.display(BaseImage(cgImage: bitmap))
    #expect(view.image?.size == CGSize(width: 8, height: 4))
    view.display(nil, .init(placeholder: BaseImage(cgImage: bitmap, scale: 2, orientation: .up)))
    #expect(view.image?.size == CGSize(width: 4, height: 2))
  }

  /// Tests a consequence of the fact M6: a private subview draws the image.
  @Test func `the private subview that draws the image stays in the view`() async throws {
    let view = stage.imageView()
    let former = view.subviews
    view.futureImage = try stage.future()
    #expect(former.allSatisfy { view.subviews.contains($0) })
    view.futureImage = nil
    #expect(former.allSatisfy { view.subviews.contains($0) })
  }

  /// Tests a consequence of the fact M8: a representation of a bitmap does not know the orientation of the bitmap.
  @Test func `a photo with an orientation is shown upright`() throws {
    let view = stage.imageView()
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    view.display(BaseImage(cgImage: bitmap, scale: 1, orientation: .right))
    #expect(view.image?.size == CGSize(width: 4, height: 8))
    #expect(view.image?.pixelWidth == 4)
  }

  @Test func `a view that displays a template image shows it as a template`() throws {
    let view = stage.imageView()
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    view.display(BaseImage(cgImage: bitmap).withRenderingMode(.alwaysTemplate))
    #expect(view.image?.isTemplate == true)
  }

  @Test func `an image with a tint color shows that color`() throws {
    let view = stage.imageView()
    var buffer = try #require(FutureImage.PixelBuffer(width: 4, height: 4))
    buffer.withBytes { bytes in for index in bytes.indices { bytes[index] = 255 } }
    let bitmap = try #require(buffer.makeImage())
    view.display(BaseImage(cgImage: bitmap).withTintColor(.red, renderingMode: .alwaysOriginal))
    #expect(isNearly(view.image?.color, TestImage.Color(red: 255, green: 0, blue: 0)))
  }

  @Test func `a placeholder with a tint color shows that color while the future waits`() throws {
    let view = stage.imageView()
    var buffer = try #require(FutureImage.PixelBuffer(width: 4, height: 4))
    buffer.withBytes { bytes in for index in bytes.indices { bytes[index] = 255 } }
    let placeholder = BaseImage(cgImage: try #require(buffer.makeImage())).withTintColor(.red, renderingMode: .alwaysOriginal)
    let future = try stage.future(placeholder: placeholder)
    view.futureImage = future
    #expect(isNearly(view.image?.color, TestImage.Color(red: 255, green: 0, blue: 0)))
  }

  @Test func `if an image view gets a second future, the first future is released`() async throws {
    let view = stage.imageView()
    weak var first: FutureImage?
    do {
      let future = try stage.future("first")
      first = future
      view.futureImage = future
      try await stage.serve()
    }
    view.futureImage = try stage.future("second")
    try await stage.serve()
    #expect(first == nil)
  }

  @Test func `the image of a bound view is archived as an NSImage`() throws {
    let view = stage.imageView()
    let future = try stage.future()
    view.futureImage = future
    #expect(view.image?.classForCoder == NSImage.self)
  }

  /// Concerns the facts M3 and M4. It is unknown whether AppKit copies the bytes of an object without retaining the objects to which these
  /// bytes refer.
  @Test func `a copy of a bound view's image has the same size, and a view that gets the copy stays bound to the future`() async throws {
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    let copy = try #require(view.image?.copy() as? NSImage)
    #expect(copy !== view.image)
    view.image = copy
    #expect(view.futureImage === future)
    #expect(copy.size == future.size)
  }

  /// Concerns the facts M3 and M4. If AppKit copies an image, the Swift properties of the copy may be empty.
  @Test func `if the app gives a view an image copy with empty Swift properties, the binding ends and the copy can be copied`() throws {
    let (view, future) = (stage.imageView(), try stage.future())
    view.futureImage = future
    view.image = BoundImage(size: future.size)
    #expect(view.futureImage == nil)
    #expect((view.image?.copy() as? NSImage)?.size == future.size)
  }
}
#endif
