import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite struct BindingTests {
  let shop = Shop()

  @Test func `a view that waits holds the future itself, with the placeholder's pixels`() {
    let placeholder = Picture.image(10, 10)
    let view = imageView(100)
    let future = shop.future(placeholder: placeholder)
    view.futureImage = future
    #expect(view.image === future)
    #expect(view.futureImage === future)
    #expect(future.cgImage === placeholder.cgImage)
  }

  @Test func `list and detail both hold one unfinished future and both get the picture`() async {
    let (cell, detail) = (imageView(150), imageView(1200))
    let future = shop.future()
    cell.futureImage = future
    detail.futureImage = future
    #expect(cell.image === future && detail.image === future)
    await shop.serve()
    #expect(cell.image?.cgImage?.width == 150)
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(cell.futureImage == nil && detail.futureImage == nil)
    #expect(shop.loader.statistics.requests == 1)
  }

  @Test func `the detail view starts from the thumbnail and sharpens without a second download`() async {
    let disk = FutureImage.DiskCache.temporary()
    let shop = Shop(disk: disk)
    let (cell, detail) = (imageView(150), imageView(1200))
    let future = shop.future()
    cell.futureImage = future
    await shop.serve()
    detail.futureImage = future
    #expect(detail.image !== cell.image)
    #expect(detail.image?.cgImage === cell.image?.cgImage)
    #expect(detail.image?.size == cell.image?.size)
    #expect(detail.futureImage === future)
    await shop.loader.settled()
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(detail.image?.size == cell.image?.size)
    #expect(cell.image?.cgImage?.width == 150)
    #expect(shop.loader.statistics.requests == 1)
    #expect(shop.loader.statistics.decodes == 2)
  }

  @Test func `a view that is the only holder sharpens, and then lets go of the future`() async {
    let shop = Shop(disk: .temporary())
    let cell = imageView(150)
    cell.futureImage = shop.future()
    await shop.serve()
    let detail = imageView(1200)
    var future: FutureImage? = shop.future()
    weak let remembered = future
    detail.futureImage = future
    future = nil
    #expect(remembered != nil)
    #expect(detail.image?.cgImage?.width == 150)
    await shop.loader.settled()
    #expect(detail.image?.cgImage?.width == 1200)
    #expect(remembered == nil)
    #expect(shop.loader.statistics.requests == 1)
  }

  @Test func `a reused cell never shows the picture of its former item`() async {
    let cell = imageView(150)
    let (old, new) = (shop.future("old"), shop.future("new"))
    cell.futureImage = old
    cell.futureImage = new
    await shop.held.waitForRequests(2)
    shop.held.resolve(Shop.url("old"), with: Picture.jpeg(600, 450))
    _ = try? await old.value(fitting: .fit(CGSize(width: 150, height: 150)))
    #expect(cell.image === new)
    shop.held.resolve(Shop.url("new"), with: Picture.jpeg(1200, 900))
    await shop.loader.settled()
    #expect(cell.image?.size == CGSize(width: 1200, height: 900))
  }

  @Test func `a picture set by hand ends the binding for good`() async {
    let view = imageView(150)
    let future = shop.future()
    view.futureImage = future
    let other = Picture.image()
    view.image = other
    await shop.serve()
    #expect(view.image === other)
    future.reload()
    await shop.serve("a", Picture.jpeg(800, 600))
    #expect(view.image === other)
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

  @Test func `the future's size in points stays from known size through thumbnail to sharp`() async {
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
    await shop.loader.settled()
    #expect(detail.image?.size == known)
    #expect(detail.image?.cgImage?.width == 1200)
  }

  @Test func `a view that has no size when it is bound is measured when the bytes are here`() async {
    let view = imageView(0)
    view.futureImage = shop.future()
    await shop.held.waitForRequests()
    view.frame = CGRect(x: 0, y: 0, width: 150, height: 150)
    await shop.serve()
    #expect(view.image?.cgImage?.width == 150)
    #expect(shop.loader.statistics.decodes == 1)
  }

  @Test func `a view that never gets a size is given the loader's fallback and not the whole picture`() async {
    let view = imageView(0)
    view.futureImage = shop.future()
    await shop.serve("a", Picture.jpeg(4096, 64))
    #expect(view.image?.cgImage?.width == 1024)
  }

  @Test func `a view whose content mode does not scale gets every pixel`() async {
    let view = imageView(100)
    view.contentMode = .center
    view.futureImage = shop.future()
    await shop.serve()
    #expect(view.image?.cgImage?.width == 1200)
  }

  @Test func `a ready picture is there when the setter returns`() async {
    let first = imageView(150)
    let future = shop.future()
    first.futureImage = future
    await shop.serve()
    let second = imageView(150)
    second.futureImage = future
    #expect(second.image === first.image)
    #expect(second.futureImage == nil)
  }

  @Test func `an interim picture handed to another view stands for its future`() async {
    let shop = Shop(disk: .temporary())
    let (cell, detail, third) = (imageView(150), imageView(1200), imageView(1200))
    let future = shop.future()
    cell.futureImage = future
    await shop.serve()
    detail.futureImage = future
    third.display(detail.image)
    #expect(third.futureImage === future)
    await shop.loader.settled()
    #expect(third.image === detail.image)
  }

  @Test func `display takes any picture and treats a future as one`() async {
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

  @Test func `two futures of one key on one view end alike and the later one still reaches it`() async {
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

  @Test func `a view that binds another future from its own setter is left with that one`() async {
    final class Restless: FutureImageBinding {
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
    let view = Restless()
    let (first, second) = (shop.future("first"), shop.future("second"))
    view.futureImage = first
    view.next = second
    await shop.held.waitForRequests(2)
    shop.held.resolve(Shop.url("first"), with: Picture.jpeg(100, 100))
    _ = try? await first.value
    await shop.serve("second", Picture.jpeg(200, 100))
    #expect(view.image?.size.width == 200)
  }

  @Test func `a future without a source is shown as the picture that it is`() {
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
