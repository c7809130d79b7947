import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct BindingTests {
  let shop = Shop()

  @Test func `a waiting view holds the future itself, with the placeholder's pixels`() {
    let placeholder = Picture.image(10, 10)
    let view = imageView(100)
    let future = shop.future(placeholder: placeholder)
    view.futureImage = future
    #expect(view.image === future)
    #expect(view.futureImage === future)
    #expect(future.looksLike(placeholder) && future.cgImage != nil)
  }

  @Test func `setting nil empties the view and leaves the transfer to the model`() async throws {
    let view = imageView(150)
    let future = shop.future()
    view.futureImage = future
    view.futureImage = nil
    #expect(view.image == nil)
    await shop.serve()
    #expect(view.image == nil)
    #expect(shop.held.cancelledCount == 0)
  }

  @Test func `a future's known size in points is the same before loading, as a thumbnail, and at full size`() async {
    let known = CGSize(width: 300, height: 225)
    let shop = Shop(disk: .temporary())
    let (cell, detail) = (imageView(100), imageView(1200))
    let future = shop.future(size: known)
    #expect(future.size == known)
    cell.futureImage = future
    #expect(cell.intrinsicContentSize == known)
    await shop.serve()
    #expect(cell.image?.size == known)
    detail.futureImage = future
    #expect(detail.image?.size == known)
    await shop.loader.waitUntilSettled()
    #expect(detail.image?.size == known)
    #expect(detail.image?.cgImage?.width == 1200)
  }

  // Blocks the main thread, as a long layout does.
  private func block(until isRequested: DispatchSemaphore) -> Bool { isRequested.wait(timeout: .now() + 20) == .success }

  @Test func `the loading phase does not wait for the main thread if no view observes phases`() async {
    let isRequested = DispatchSemaphore(value: 0)
    let shop = Shop { configuration in
      configuration.maxTransfersPerHost = 1
      configuration.onEvent = { if case .requested = $0.kind { isRequested.signal() } }
    }
    let (first, second, view) = (shop.future(), shop.future("b"), imageView(150))
    await shop.held.waitForHeld()
    view.futureImage = second
    #expect(block(until: isRequested))
    shop.held.resolve(Shop.url(), with: Picture.jpeg())
    #expect(block(until: isRequested))
    #expect(second.phase.name == "loading")
    withExtendedLifetime(first) {}
  }

  @Test func `a view whose content mode does not scale gets every pixel`() async {
    let view = imageView(100)
    view.contentMode = .center
    view.futureImage = shop.future()
    await shop.serve()
    #expect(view.image?.cgImage?.width == 1200)
  }

  @Test func `a ready image is in the view when the setter returns`() async {
    let first = imageView(150)
    let future = shop.future()
    first.futureImage = future
    await shop.serve()
    let second = imageView(150)
    second.futureImage = future
    #expect(second.image === first.image)
    #expect(second.futureImage == nil)
  }

  @Test func `display accepts any image and binds a future`() async {
    let view = imageView(150)
    let plain = Picture.image()
    view.display(plain)
    #expect(view.image === plain)
    let future: UIImage = shop.future()
    view.display(future)
    #expect(view.futureImage === future)
    await shop.serve()
    #expect(view.image?.cgImage?.width == 150)
    view.display(nil)
    #expect(view.image == nil)
  }

  @Test func `two futures of one key show the same image in one view, and the later one still updates it`() async {
    let view = imageView(1200)
    let (first, second) = (shop.future(), shop.future())
    view.futureImage = first
    view.futureImage = second
    await shop.serve()
    let before = view.image
    #expect(before?.cgImage?.width == 1200)
    second.reload()
    await shop.serve("a", Picture.jpeg(1600, 1200))
    #expect(view.image !== before)
    #expect(view.image?.size.width == 1600)
  }

  @Test func `a future without a source is shown as a plain image`() {
    let view = imageView(10)
    let future = FutureImage(data: Picture.jpeg(8, 8))
    view.futureImage = future
    #expect(view.image === future)
    #expect(future?.image === future)
  }

  @Test func `futures are equal only to themselves`() {
    let (first, second) = (shop.future(), shop.future())
    #expect(!first.isEqual(second))
    #expect(first.isEqual(first))
    #expect(Set([first, second]).count == 2)
  }
}
