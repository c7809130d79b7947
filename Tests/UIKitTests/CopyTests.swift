#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// An image with stored properties that UIKit's private initializer for copies does not know.
@requires_stored_property_inits
private final class NotedImage: UIImage, @unchecked Sendable {
  // Sendable: nothing writes the properties after the initializer.
  private(set) var count = 7
  private(set) var notes = ["a"]
}

/// Copies of images with another rendering mode. The library's two image classes override `withRenderingMode`, and the tests of row 4
/// examine the copies that these overrides return. The test of row 5 examines a copy that UIKit makes.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct CopyTests {
  private let stage = Stage()

  private func read(_ image: UIImage, _ name: String) {
    record(4, name, "\(type(of: image)), \(image.size), \(image.images?.count ?? 0) frames, \(image.duration) s")
  }

  /// Row 4 of the report that `Tests/first-run` writes.
  @Test func `a copy of a future has the new rendering mode and the placeholder's pixels`() throws {
    let future = try stage.future(placeholder: Pixels.image(), size: CGSize(width: 320, height: 240))
    let copy = future.withRenderingMode(.alwaysTemplate)
    read(copy, "copy of a future")
    if let copy = copy as? FutureImage { record(4, "progress of a copy", copy.progress.fractionCompleted) }
    #expect(copy.renderingMode == .alwaysTemplate)
    #expect(copy.size.width > 0)
    #expect(copy.cgImage?.width == 64)
  }

  /// Row 4 of the report that `Tests/first-run` writes.
  @Test func `a copy of a loaded image has the pixels and the size of that image`() async throws {
    let future = try stage.future()
    await stage.serve()
    let image = try await future.value
    let copy = image.withRenderingMode(.alwaysTemplate)
    read(copy, "copy of a loaded image")
    #expect(copy.size == image.size)
    #expect(copy.cgImage === image.cgImage)
  }

  /// Row 4 of the report that `Tests/first-run` writes. The image is a `DecodedImage`, because its pixels do not determine its size.
  @Test func `a copy of a reduced image has the size of the whole image`() async throws {
    let future = try stage.future()
    let view = stage.makeImageView()
    view.futureImage = future
    await stage.serve()
    let image = try #require(view.image)
    try #require(image.cgImage.map { $0.width < 640 } == true)
    let copy = image.withRenderingMode(.alwaysTemplate)
    read(copy, "copy of an image with fewer pixels")
    #expect(copy.size == CGSize(width: 640, height: 480))
    #expect(copy.cgImage === image.cgImage)
  }

  /// Row 4 of the report that `Tests/first-run` writes.
  @Test func `a copy of an animated image has the same size, frames, and duration`() async throws {
    let future = try stage.future()
    await stage.serve(try Fixture.data("gif/animated-transparent.gif"))
    let image = try await future.animatedImage()
    let copy = image.withRenderingMode(.alwaysOriginal)
    read(copy, "copy of an animated image")
    #expect(copy.size == image.size)
    #expect(copy.cgImage != nil)
    #expect(copy.images?.count == image.images?.count && image.images != nil)
    #expect(copy.duration == image.duration && image.duration > 0)
  }

  /// Row 5 of the report that `Tests/first-run` writes. If the properties of a copy consisted of zero bytes, reading the array would end
  /// the process. So the test checks the number first.
  @Test func `the stored properties of a copy have their default values`() throws {
    let image = NotedImage(cgImage: try #require(Pixels.plain()))
    let copy = image.withRenderingMode(.alwaysTemplate)
    record(5, "class of a copy", type(of: copy))
    let noted = try #require(copy as? NotedImage)
    record(5, "the number that a copy stores", noted.count)
    try #require(noted !== image)
    try #require(noted.count == 7)
    #expect(noted.notes == ["a"])
  }
}
#endif
