import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("A reused cell shows only its current item's image", .tags(.threads), .timeLimit(.minutes(5))) struct ReusedCellTests {
  let fixture = LoaderFixture()

  @Test func `a reused cell never shows the image of its former item`() async {
    let cell = imageView(150)
    let (old, new) = (fixture.future("old"), fixture.future("new"))
    cell.futureImage = old
    cell.futureImage = new
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(LoaderFixture.url("old"), with: SampleImage.jpeg(600, 450))
    _ = try? await old.value(fitting: .fit(width: 150, height: 150))
    #expect(cell.image === new)
    fixture.held.resolve(LoaderFixture.url("new"), with: SampleImage.jpeg(1200, 900))
    await fixture.loader.waitForIdle()
    #expect(cell.image?.size == CGSize(width: 1200, height: 900))
  }

  @Test func `an image that the app sets ends the binding permanently`() async {
    let view = imageView(150)
    let future = fixture.future()
    view.futureImage = future
    let other = SampleImage.image()
    view.image = other
    await fixture.serve()
    #expect(view.image === other)
    future.reload()
    await fixture.serve("a", SampleImage.jpeg(800, 600))
    #expect(view.image === other)
  }

  @Test func `a view whose setter binds another future shows the image of that other future`() async {
    final class RebindingView: ImageDisplaying {
      var next: FutureImage?
      var pixelFitting: FutureImage.Fitting? { .full }
      var image: UIImage? {
        didSet {
          guard let future = next, !(image is FutureImage) else { return }
          next = nil
          futureImage = future
        }
      }
    }
    let view = RebindingView()
    let (first, second) = (fixture.future("first"), fixture.future("second"))
    view.futureImage = first
    view.next = second
    await fixture.held.waitForRequests(2)
    fixture.held.resolve(LoaderFixture.url("first"), with: SampleImage.jpeg(100, 100))
    _ = try? await first.value
    await fixture.serve("second", SampleImage.jpeg(200, 100))
    #expect(view.image?.size.width == 200)
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension ReusedCellTests {
  @Test func `a future that many cells show in turn does not retain the bindings of reused cells`() async {
    let (future, other) = (fixture.future("a"), fixture.future("b"))
    let avatar = imageView(64)
    avatar.futureImage = future
    await fixture.held.waitForHeld(2)
    for name in ["a", "b"] { fixture.held.resolve(LoaderFixture.url(name), with: SampleImage.jpeg(64, 48)) }
    await fixture.loader.waitForIdle()
    for _ in 0..<20 {
      let cells = (0..<3).map { _ in imageView(64) }
      for cell in cells { cell.futureImage = future }
      for cell in cells { cell.futureImage = other }
    }
    // One binding of the avatar, and the bindings of two rounds of three cells. Each new binding of the future removes one binding of a
    // cell that shows the other future by then.
    #expect(future.bindings.count <= 1 + 2 * 3)
    #expect(future.bindings.contains { $0.place?.platformView === avatar })
  }
}
#endif
