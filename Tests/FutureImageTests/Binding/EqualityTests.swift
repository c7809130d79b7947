import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// An image view ignores an image that equals its current image. Images with the same bitmap are equal.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct EqualityTests {
  let fixture = LoaderFixture()

  @Test func `if the app sets a future's placeholder as the image of the future's view, the binding ends`() async {
    let (view, placeholder) = (imageView(100), SampleImage.image(10, 10))
    let future = fixture.future(placeholder: placeholder)
    view.futureImage = future
    view.image = placeholder
    #expect(view.image === placeholder && view.futureImage == nil)
    await fixture.serve()
    #expect(view.image === placeholder)
  }

  @Test func `a future replaces its placeholder in a view that shows the placeholder as a plain image`() {
    let (view, placeholder) = (imageView(100), SampleImage.image(10, 10))
    view.image = placeholder
    let future = fixture.future(placeholder: placeholder)
    view.futureImage = future
    #expect(view.futureImage === future)
  }

  @Test func `if the app sets the presentation's placeholder as the image of the view, the binding ends`() {
    let (view, placeholder) = (imageView(100), SampleImage.image(10, 10))
    view.display(fixture.future(), .init(placeholder: placeholder))
    view.image = placeholder
    #expect(view.image === placeholder && view.futureImage == nil)
  }

  @Test func `in a view, a future replaces another future that has the same placeholder`() {
    let (view, placeholder) = (imageView(100), SampleImage.image(10, 10))
    let (first, second) = (fixture.future(placeholder: placeholder), fixture.future("b", placeholder: placeholder))
    view.futureImage = first
    view.futureImage = second
    #expect(view.futureImage === second)
    #expect(first != second)
  }

  @Test func `futures with the same placeholder share one bitmap, which uses the placeholder's pixels`() {
    let placeholder = SampleImage.image(10, 10)
    let (first, second) = (fixture.future(placeholder: placeholder), fixture.future("b", placeholder: placeholder))
    #expect(first.cgImage === second.cgImage)
    #expect(first.cgImage !== placeholder.cgImage)
    #if canImport(UIKitStandIn) && !canImport(UIKit)
    let addresses = [first.cgImage, placeholder.cgImage].map { $0?.withRGBA { $0.baseAddress } }
    #expect(addresses[0] == addresses[1])
    #endif
  }

  @Test func `futures with the same placeholder and the same tint share one bitmap`() throws {
    let placeholder = SampleImage.image(10, 10)
    let futures = ["a", "b", "c"].map { fixture.future($0, placeholder: placeholder) }
    let tinted = zip(futures, [UIColor.red, .red, .green]).map { $0.withTintColor($1) }
    #expect(tinted.allSatisfy { $0 is FutureImage })
    #expect(tinted[0].cgImage === tinted[1].cgImage)
    #expect(tinted[0].cgImage !== tinted[2].cgImage && tinted[0].cgImage !== futures[0].cgImage)
  }

  @Test func `if two views show the same reduced image while they wait for more pixels, the views share one bitmap`() async {
    let decoder = GatedDecoder()
    let fixture = LoaderFixture { $0.decoder = decoder }
    let (small, large) = (imageView(100), [imageView(1200), imageView(1100)])
    let future = fixture.future()
    small.futureImage = future
    await fixture.serve()
    decoder.close()
    for view in large { view.futureImage = future }
    #expect(large[0].image !== small.image && large[0].image?.cgImage === large[1].image?.cgImage)
    #expect(large[0].image?.cgImage?.width == small.image?.cgImage?.width)
    decoder.open()
  }

  @Test func `if the app sets a thumbnail in a view that shows more pixels of the same future, the binding ends`() async {
    let fixture = LoaderFixture()
    let (small, large) = (imageView(100), imageView(1200))
    let future = fixture.future()
    small.futureImage = future
    await fixture.serve()
    large.futureImage = future
    let thumbnail = small.image
    #expect(large.futureImage === future && large.image?.cgImage !== thumbnail?.cgImage)
    large.image = thumbnail
    #expect(large.image === thumbnail && large.futureImage == nil)
  }

  @Test func `if the app replaces a view's animation with a frame of that animation, the frame stays and the binding ends`() async throws {
    let view = imageView(100)
    let future = fixture.future()
    view.futureImage = future
    let frames = [TestImage(color: .red), TestImage(color: .green)]
    await fixture.serve("a", TestImage.gif(frames: frames, frameDuration: .milliseconds(100)))
    let frame = try #require(await future.animatedImage().images?.first)
    view.image = frame
    #expect(view.image === frame && view.futureImage == nil)
  }

  @Test func `if a view ignores an image, the image is set again only a limited number of times`() async {
    let view = StubbornView(frame: CGRect(x: 0, y: 0, width: 100, height: 75))
    view.image = SampleImage.image(1, 1)
    let future = fixture.future()
    view.ignoresUntilEmpty = true
    view.futureImage = future
    #expect(view.image === future)
    view.ignoresAll = true
    let writes = view.writes
    view.futureImage = fixture.future("b")
    // At most, the loader sets the future, then nil, then the future again.
    #expect(view.writes - writes <= 3)
  }
}

extension EqualityTests {
  @Test func `an image that the app sets while the loader empties the view is not replaced`() {
    let view = StubbornView(frame: CGRect(x: 0, y: 0, width: 100, height: 75))
    view.image = SampleImage.image(1, 1)
    let own = SampleImage.image(2, 2)
    view.ignoresUntilEmpty = true
    view.whenEmptied = { $0.image = own }
    view.futureImage = fixture.future()
    #expect(view.image === own)
  }
}

/// A view whose setter ignores images, as an image view ignores an image that equals its current image.
@MainActor private final class StubbornView: UIImageView {
  var ignoresUntilEmpty = false
  var ignoresAll = false
  var whenEmptied: (StubbornView) -> Void = { _ in }
  private(set) var writes = 0

  override var image: UIImage? {
    get { super.image }
    set {
      writes += 1
      guard !ignoresAll, !ignoresUntilEmpty || newValue == nil || super.image == nil else { return }
      super.image = newValue
      if newValue == nil { whenEmptied(self) }
    }
  }
}
