#if canImport(UIKit) || canImport(UIKitStandIn)
import Testing

@testable import FutureImage

/// Row 6 of the report that `Tests/first-run` writes: the images that a view accepts in place of its current image.
@MainActor @Suite(.timeLimit(.minutes(5))) struct EqualityTests {
  private let stage = Stage()

  @Test func `a view ignores an image that shares the pixels of its current image`() throws {
    let view = stage.makeImageView()
    let pixels = try #require(Pixels.plain())
    let (first, second) = (UIImage(cgImage: pixels), UIImage(cgImage: pixels))
    view.image = first
    view.image = second
    #expect(view.image === first)
    #expect(first.isEqual(second))
  }

  @Test func `an image with copied pixels replaces the current image`() throws {
    let view = stage.makeImageView()
    let pixels = try #require(Pixels.plain())
    let copy = try #require(pixels.copy())
    record(6, "CGImage.copy() returns another object", copy !== pixels)
    let (first, second) = (UIImage(cgImage: pixels), UIImage(cgImage: try #require(copy.another)))
    view.image = first
    view.image = second
    #expect(view.image === second)
  }

  @Test func `in a view, a future replaces another future that has the same placeholder`() throws {
    let view = stage.makeImageView()
    let placeholder = Pixels.image()
    let (first, second) = (try stage.future("first", placeholder: placeholder), try stage.future("second", placeholder: placeholder))
    view.image = placeholder
    view.futureImage = first
    #expect(view.futureImage === first)
    view.futureImage = second
    #expect(view.futureImage === second)
    view.image = placeholder
    #expect(view.image === placeholder)
  }
}
#endif
