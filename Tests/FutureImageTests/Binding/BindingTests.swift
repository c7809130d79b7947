import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct BindingTests {
  let fixture = LoaderFixture()

  @Test func `while a view waits for an image, the view's image property is the future, which has the placeholder's pixels`() {
    let placeholder = SampleImage.image(10, 10)
    let view = imageView(100)
    let future = fixture.future(placeholder: placeholder)
    view.futureImage = future
    #expect(view.image === future)
    #expect(view.futureImage === future)
    #expect(future.looksLike(placeholder) && future.cgImage != nil)
  }

  @Test func `setting nil empties a view, but the transfer continues while the app retains the future`() async throws {
    let view = imageView(150)
    let future = fixture.future()
    view.futureImage = future
    view.futureImage = nil
    #expect(view.image == nil)
    await fixture.serve()
    #expect(view.image == nil)
    #expect(fixture.held.cancelledCount == 0)
  }

  @Test func `if an image's size in points is known, the future, its thumbnail, and its full image have that size`() async {
    let known = CGSize(width: 300, height: 225)
    let fixture = LoaderFixture(disk: .temporary())
    let (cell, detail) = (imageView(100), imageView(1200))
    let future = fixture.future(size: known)
    #expect(future.size == known)
    cell.futureImage = future
    #expect(cell.intrinsicContentSize == known)
    await fixture.serve()
    #expect(cell.image?.size == known)
    detail.futureImage = future
    #expect(detail.image?.size == known)
    await fixture.loader.waitForIdle()
    #expect(detail.image?.size == known)
    #expect(detail.image?.cgImage?.width == 1200)
  }

  /// Blocks the main thread, as a long layout does. Returns whether the semaphore has been signaled within 20 seconds.
  private func block(until requested: DispatchSemaphore) -> Bool { requested.wait(timeout: .now() + 20) == .success }

  @Test func `if no view observes phases, a future enters the loading phase even while the main thread is blocked`() async {
    let requested = DispatchSemaphore(value: 0)
    let fixture = LoaderFixture { configuration in
      configuration.maxTransfersPerHost = 1
      configuration.onEvent = { if case .requested = $1 { requested.signal() } }
    }
    let (first, second, view) = (fixture.future(), fixture.future("b"), imageView(150))
    await fixture.held.waitForHeld()
    view.futureImage = second
    // The first signal belongs to the first future, and the next signal to the second future.
    #expect(block(until: requested))
    fixture.held.resolve(LoaderFixture.url(), with: SampleImage.jpeg())
    #expect(block(until: requested))
    #expect(second.phase.name == "loading")
    withExtendedLifetime(first) {}
  }

  @Test func `a view whose content mode does not scale gets the image at full size`() async {
    let view = imageView(100)
    view.contentMode = .center
    view.futureImage = fixture.future()
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 1200)
  }

  @Test func `a ready image is in the view when the setter returns`() async {
    let first = imageView(150)
    let future = fixture.future()
    first.futureImage = future
    await fixture.serve()
    let second = imageView(150)
    second.futureImage = future
    #expect(second.image === first.image)
    #expect(second.futureImage == nil)
  }

  @Test func `the method display shows any image, and binds the view if the image is a future`() async {
    let view = imageView(150)
    let plain = SampleImage.image()
    view.display(plain)
    #expect(view.image === plain)
    let future: UIImage = fixture.future()
    view.display(future)
    #expect(view.futureImage === future)
    await fixture.serve()
    #expect(view.image?.cgImage?.width == 150)
    view.display(nil)
    #expect(view.image == nil)
  }

  @Test func `if a view is bound to a second future of the same key, a reload of the second future updates the view`() async {
    let view = imageView(1200)
    let (first, second) = (fixture.future(), fixture.future())
    view.futureImage = first
    view.futureImage = second
    await fixture.serve()
    let before = view.image
    #expect(before?.cgImage?.width == 1200)
    second.reload()
    await fixture.serve("a", SampleImage.jpeg(1600, 1200))
    #expect(view.image !== before)
    #expect(view.image?.size.width == 1600)
  }

  @Test func `a future without a source is shown as a plain image`() throws {
    let view = imageView(10)
    let future = try #require(FutureImage(data: SampleImage.jpeg(8, 8)))
    view.futureImage = future
    #expect(view.image === future)
    #expect(future.image === future)
  }

  @Test func `futures are equal only to themselves`() {
    let (first, second) = (fixture.future(), fixture.future())
    #expect(!first.isEqual(second))
    #expect(first.isEqual(first))
    #expect(Set([first, second]).count == 2)
  }
}
