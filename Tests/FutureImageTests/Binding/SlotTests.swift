import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SlotTests {
  let shop = Shop()

  private func button() -> UIButton { UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48)) }

  @Test func `a button shows a future in each state, and each state gets its own image`() async throws {
    let button = button()
    button.display(shop.future("normal"), for: .normal)
    button.display(shop.future("selected"), for: .selected)
    #expect(FutureImage.Slot.image(for: .normal).futureImage(of: button)?.key == Shop.url("normal").absoluteString)
    #expect(FutureImage.Slot.image(for: .selected).futureImage(of: button)?.key == Shop.url("selected").absoluteString)
    await shop.held.waitForHeld(2)
    shop.held.resolve(Shop.url("normal"), with: Picture.jpeg(64, 48, red: 200))
    shop.held.resolve(Shop.url("selected"), with: Picture.jpeg(64, 48, red: 20))
    await shop.loader.waitUntilSettled()
    #expect(try #require(button.image(for: .normal)?.colour).red > 150)
    #expect(try #require(button.image(for: .selected)?.colour).red < 60)
    #expect(FutureImage.Slot.image(for: .normal).futureImage(of: button) == nil)
  }

  @Test func `a button's image and background are separate places`() async {
    let button = button()
    let future = shop.future()
    button.display(future, for: .normal)
    button.displayBackground(future, for: .normal)
    await shop.serve()
    #expect(button.image(for: .normal)?.cgImage != nil)
    #expect(button.backgroundImage(for: .normal)?.cgImage != nil)
    #expect(future.bindings.count == 2)
    #expect(shop.held.requests.count == 1)
  }

  @Test func `an image view has a separate place for its highlighted image`() async {
    let view = imageView(64)
    view.futureImage = shop.future("plain")
    view.highlightedFutureImage = shop.future("highlighted")
    #expect(view.highlightedFutureImage?.key == Shop.url("highlighted").absoluteString)
    await shop.held.waitForHeld(2)
    shop.held.resolve(with: Picture.jpeg())
    await shop.loader.waitUntilSettled()
    #expect(view.image?.cgImage != nil)
    #expect(view.highlightedImage?.cgImage != nil)
    #expect(view.highlightedImage !== view.image)
  }

  @Test func `a place that was given another image is left alone`() async {
    let button = button()
    button.display(shop.future(), for: .normal)
    let other = Picture.image()
    let future = FutureImage.Slot.image(for: .normal).futureImage(of: button)
    button.setImage(other, for: .normal)
    await shop.serve()
    #expect(button.image(for: .normal) === other)
    withExtendedLifetime(future) {}
  }

  @Test func `a released button cancels its transfer`() async {
    var button: UIButton? = button()
    button?.display(shop.future(), for: .normal)
    await shop.held.waitForHeld()
    weak let gone = button
    button = nil
    #expect(gone == nil)
    await shop.held.waitForCancellations()
  }

  @Test func `nil removes the image`() async {
    let button = button()
    button.display(shop.future(), for: .normal)
    button.display(nil, for: .normal)
    #expect(button.image(for: .normal) == nil)
    await shop.held.waitForRequests(0)
  }

  @Test func `the pixels fit the button's bounds`() async {
    let button = button()
    button.display(shop.future(), for: .normal)
    await shop.serve("a", Picture.jpeg(640, 480))
    #expect(button.image(for: .normal)?.cgImage?.width == 80)
  }

  @MainActor private final class Profile {
    var cover: UIImage?
  }

  @Test func `a property of an app's own type is a slot`() async {
    let slot = FutureImage.Slot(\Profile.cover, pixelFitting: { _ in .full })
    let profile = Profile()
    slot.display(shop.future(), in: profile)
    #expect(slot.futureImage(of: profile) != nil)
    await shop.serve()
    #expect(profile.cover?.cgImage?.width == 1200)
    let plain = Picture.image()
    slot.display(plain, in: profile)
    #expect(profile.cover === plain)
  }

  /// An item of a list in a car: a property to read, and a method to set it.
  @MainActor private final class ListItem {
    private(set) var image: UIImage?
    private(set) var sets = 0

    func setImage(_ image: UIImage?) {
      self.image = image
      sets += 1
    }
  }

  @Test func `two closures make a slot of an image that has a method instead of a property`() async throws {
    let item = ListItem()
    let slot = FutureImage.Slot<ListItem>(
      "image", get: { $0.image }, set: { $0.setImage($1) }, pixelFitting: { _ in .fit(width: 40, height: 30) })
    let future = shop.future()
    slot.display(future, in: item)
    #expect(slot.futureImage(of: item) === future && item.sets == 1)
    await shop.serve()
    #expect(slot.futureImage(of: item) == nil && item.sets == 2)
    #expect(try #require(item.image?.cgImage).width < 100)
  }

  @Test func `slots of one owner are told apart by their names`() async {
    let item = ListItem()
    var accessory: UIImage?
    let first = FutureImage.Slot<ListItem>("image", get: { $0.image }, set: { $0.setImage($1) })
    let second = FutureImage.Slot<ListItem>("accessory", get: { _ in accessory }, set: { accessory = $1 })
    let future = shop.future()
    first.display(future, in: item)
    second.display(future, in: item)
    await shop.serve()
    #expect(item.image?.cgImage != nil && accessory?.cgImage != nil)
    #expect(future.bindings.count == 2)
  }
}
