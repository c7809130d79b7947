import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("An app can use an image without an image view", .tags(.threads), .timeLimit(.minutes(5))) struct NoViewTests {
  /// An object with an image property that nothing observes, like a bar button item, an annotation, or a text attachment.
  final class Target {
    var image: UIImage?
  }

  /// A view of the app that shows an image and is not a `UIImageView`.
  final class RoundButton: ImageDisplaying {
    var face: UIImage?
    var image: UIImage? {
      get { face }
      set { face = newValue }
    }
    var pixelFitting: FutureImage.Fitting? { .fill(width: 44, height: 44) }
  }

  let fixture = LoaderFixture(disk: .temporary())

  @Test func `whenReady delivers the image in the requested size`() async {
    let target = Target()
    fixture.future().whenReady(fitting: .fit(width: 44, height: 44)) { [weak target] in target?.image = try? $0.get() }
    await fixture.serve()
    // The smallest decode step of the image with a width of at least 44 pixels is 75 pixels wide.
    #expect(target.image?.cgImage?.width == 75)
  }

  @Test func `an app's own view and a larger image view show one future, each with its own number of pixels`() async {
    let (button, detail) = (RoundButton(), imageView(1200))
    let future = fixture.future()
    button.futureImage = future
    await fixture.serve()
    // The detail view is bound only now, because a view may show the larger pixels of another view if those arrive first.
    detail.futureImage = future
    await fixture.loader.waitForIdle()
    #expect(button.face?.cgImage?.width == 75)
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(fixture.held.requests.count == 1)
    #expect(button.futureImage == nil)
  }

  @Test func `releasing the target of a callback before the image arrives is safe`() async {
    var target: Target? = Target()
    fixture.future().whenReady { [weak target] in target?.image = try? $0.get() }
    target = nil
    await fixture.serve()
  }

  @Test func `an image from a future's value has the full size and can be encoded as JPEG`() async throws {
    let future = fixture.future()
    async let image = future.value
    await fixture.serve()
    #expect(try await image.jpegData(compressionQuality: 0.8)?.isEmpty == false)
    #expect(try await image.cgImage?.width == 1200)
  }
}
