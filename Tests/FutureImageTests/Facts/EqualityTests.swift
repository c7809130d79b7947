import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// An image view ignores an image that says it equals the one that is there; images of one bitmap say so.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct EqualityTests {
  let shop = Shop()

  @Test func `the placeholder itself, put into a view that shows it under a future, ends the binding`() async {
    let (view, placeholder) = (imageView(100), Picture.image(10, 10))
    let future = shop.future(placeholder: placeholder)
    view.futureImage = future
    view.image = placeholder
    #expect(view.image === placeholder && view.futureImage == nil)
    await shop.serve()
    #expect(view.image === placeholder)
  }

  @Test func `a future takes the place of its own placeholder`() {
    let (view, placeholder) = (imageView(100), Picture.image(10, 10))
    view.image = placeholder
    let future = shop.future(placeholder: placeholder)
    view.futureImage = future
    #expect(view.futureImage === future)
  }

  @Test func `a presentation's placeholder, put into the view by the app, ends the binding`() {
    let (view, placeholder) = (imageView(100), Picture.image(10, 10))
    view.setFutureImage(shop.future(), .init(placeholder: placeholder))
    view.image = placeholder
    #expect(view.image === placeholder && view.futureImage == nil)
  }

  @Test func `two futures with one placeholder take each other's place`() {
    let (view, placeholder) = (imageView(100), Picture.image(10, 10))
    let (first, second) = (shop.future(placeholder: placeholder), shop.future("b", placeholder: placeholder))
    view.futureImage = first
    view.futureImage = second
    #expect(view.futureImage === second)
    #expect(first != second)
  }

  @Test func `futures with one placeholder share one bitmap, which is not the placeholder's and has its pixels`() {
    let placeholder = Picture.image(10, 10)
    let (first, second) = (shop.future(placeholder: placeholder), shop.future("b", placeholder: placeholder))
    #expect(first.cgImage === second.cgImage)
    #expect(first.cgImage !== placeholder.cgImage)
    #if canImport(UIKitStandIn) && !canImport(UIKit)
    let addresses = [first.cgImage, placeholder.cgImage].map { $0?.withRGBA { $0.baseAddress } }
    #expect(addresses[0] == addresses[1])
    #endif
  }

  @Test func `futures with one placeholder and one tint share one bitmap`() throws {
    let placeholder = Picture.image(10, 10)
    let futures = ["a", "b", "c"].map { shop.future($0, placeholder: placeholder) }
    let tinted = zip(futures, [UIColor.red, .red, .green]).map { $0.withTintColor($1) }
    #expect(tinted.allSatisfy { $0 is FutureImage })
    #expect(tinted[0].cgImage === tinted[1].cgImage)
    #expect(tinted[0].cgImage !== tinted[2].cgImage && tinted[0].cgImage !== futures[0].cgImage)
  }

  @Test func `views that show fewer pixels of one image share one bitmap`() async {
    let decoder = GatedDecoder()
    let shop = Shop { $0.decoder = decoder }
    let (small, large) = (imageView(100), [imageView(1200), imageView(1100)])
    let future = shop.future()
    small.futureImage = future
    await shop.serve()
    decoder.close()
    for view in large { view.futureImage = future }
    #expect(large[0].image !== small.image && large[0].image?.cgImage === large[1].image?.cgImage)
    decoder.open()
  }

  @Test func `a picture put into a view that shows fewer pixels of it under a future is taken`() async {
    let shop = Shop()
    let (small, large) = (imageView(100), imageView(1200))
    let future = shop.future()
    small.futureImage = future
    await shop.serve()
    large.futureImage = future
    let thumbnail = small.image
    #expect(large.futureImage === future && large.image?.cgImage !== thumbnail?.cgImage)
    large.image = thumbnail
    #expect(large.image === thumbnail && large.futureImage == nil)
  }

  @Test func `the first frame of an animation takes its place in a view`() async throws {
    let view = imageView(100)
    let future = shop.future()
    view.futureImage = future
    let frames = [TestPicture(color: .red), TestPicture(color: .green)]
    await shop.serve("a", TestPicture.gif(frames: frames, frameDuration: .milliseconds(100)))
    let frame = try #require(view.image?.images?.first)
    view.image = frame
    #expect(view.image === frame && view.futureImage == nil)
  }

  @Test func `a view that ignores a write gets it once more, and not for ever`() async {
    let view = StubbornView(frame: CGRect(x: 0, y: 0, width: 100, height: 75))
    view.image = Picture.image(1, 1)
    let future = shop.future()
    view.ignoresUntilEmpty = true
    view.futureImage = future
    #expect(view.image === future)
    view.ignoresAll = true
    let writes = view.writes
    view.futureImage = shop.future("b")
    #expect(view.writes - writes <= 3)
  }
}

extension EqualityTests {
  @Test func `a view that is emptied to be mended keeps what the app puts into it then`() {
    let view = StubbornView(frame: CGRect(x: 0, y: 0, width: 100, height: 75))
    view.image = Picture.image(1, 1)
    let own = Picture.image(2, 2)
    view.ignoresUntilEmpty = true
    view.whenEmptied = { $0.image = own }
    view.futureImage = shop.future()
    #expect(view.image === own)
  }
}

/// A view whose setter ignores images, as one that takes them for equal does.
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
