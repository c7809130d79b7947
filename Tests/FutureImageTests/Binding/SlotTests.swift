#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct SlotTests {
  let fixture = LoaderFixture()

  private func button() -> UIButton { UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48)) }

  @Test func `a button shows a future in each state, and each state gets its own image`() async throws {
    let button = button()
    button.display(fixture.future("normal"), for: .normal)
    button.display(fixture.future("selected"), for: .selected)
    #expect(FutureImage.Slot.image(for: .normal).futureImage(of: button)?.key == LoaderFixture.url("normal").absoluteString)
    #expect(FutureImage.Slot.image(for: .selected).futureImage(of: button)?.key == LoaderFixture.url("selected").absoluteString)
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(LoaderFixture.url("normal"), with: SampleImage.jpeg(64, 48, red: 200))
    fixture.held.resolve(LoaderFixture.url("selected"), with: SampleImage.jpeg(64, 48, red: 20))
    await fixture.loader.waitForIdle()
    #expect(try #require(button.image(for: .normal)?.color).red > 150)
    #expect(try #require(button.image(for: .selected)?.color).red < 60)
    #expect(FutureImage.Slot.image(for: .normal).futureImage(of: button) == nil)
  }

  @Test func `a button's image and its background image can both show the same future`() async {
    let button = button()
    let future = fixture.future()
    button.display(future, for: .normal)
    FutureImage.Slot.backgroundImage(for: .normal).display(future, in: button)
    await fixture.serve()
    #expect(button.image(for: .normal)?.cgImage != nil)
    #expect(button.backgroundImage(for: .normal)?.cgImage != nil)
    #expect(future.bindings.count == 2)
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `an image view can show one future as its image and another future as its highlighted image`() async {
    let view = imageView(64)
    view.futureImage = fixture.future("plain")
    FutureImage.Slot.highlightedImage.display(fixture.future("highlighted"), in: view)
    #expect(FutureImage.Slot.highlightedImage.futureImage(of: view)?.key == LoaderFixture.url("highlighted").absoluteString)
    await fixture.held.waitForHeld(2)
    fixture.held.resolve(with: SampleImage.jpeg())
    await fixture.loader.waitForIdle()
    #expect(view.image?.cgImage != nil)
    #expect(view.highlightedImage?.cgImage != nil)
    #expect(view.highlightedImage !== view.image)
  }

  @Test func `an image that the app sets in a slot is not replaced when the future's image arrives`() async {
    let button = button()
    button.display(fixture.future(), for: .normal)
    let other = SampleImage.image()
    let future = FutureImage.Slot.image(for: .normal).futureImage(of: button)
    button.setImage(other, for: .normal)
    await fixture.serve()
    #expect(button.image(for: .normal) === other)
    withExtendedLifetime(future) {}
  }

  @Test func `a released button cancels its transfer`() async {
    var button: UIButton? = button()
    button?.display(fixture.future(), for: .normal)
    await fixture.held.waitForHeld()
    weak let gone = button
    button = nil
    #expect(gone == nil)
    await fixture.held.waitForCancellations()
  }

  @Test func `displaying nil in a slot removes the image`() {
    let button = button()
    button.display(fixture.future(), for: .normal)
    button.display(nil, for: .normal)
    #expect(button.image(for: .normal) == nil)
  }

  @Test func `the pixels of a button's image fit the bounds of the button`() async {
    let button = button()
    button.display(fixture.future(), for: .normal)
    await fixture.serve("a", SampleImage.jpeg(640, 480))
    // The button needs a width of 64 pixels. The smallest decode step with at least this width is an eighth of the image's 640 pixels.
    #expect(button.image(for: .normal)?.cgImage?.width == 80)
  }

  @MainActor private final class Profile {
    var cover: UIImage?
  }

  @Test func `a property of an app's own type can be a slot`() async {
    let slot = FutureImage.Slot(\Profile.cover, pixelFitting: { _ in .full })
    let profile = Profile()
    slot.display(fixture.future(), in: profile)
    #expect(slot.futureImage(of: profile) != nil)
    await fixture.serve()
    #expect(profile.cover?.cgImage?.width == 1200)
    let plain = SampleImage.image()
    slot.display(plain, in: profile)
    #expect(profile.cover === plain)
  }

  /// A list item, as in CarPlay, which has a property to read its image and a method to set the image.
  @MainActor private final class ListItem {
    private(set) var image: UIImage?
    private(set) var sets = 0

    func setImage(_ image: UIImage?) {
      self.image = image
      sets += 1
    }
  }

  @Test func `a slot can be made from a getter and a setter, for example if an object has a method to set its image`() async throws {
    let item = ListItem()
    let slot = FutureImage.Slot<ListItem>(
      "image", get: { $0.image }, set: { $0.setImage($1) }, pixelFitting: { _ in .fit(width: 40, height: 30) })
    let future = fixture.future()
    slot.display(future, in: item)
    #expect(slot.futureImage(of: item) === future && item.sets == 1)
    await fixture.serve()
    #expect(slot.futureImage(of: item) == nil && item.sets == 2)
    #expect(try #require(item.image?.cgImage).width < 100)
  }

  @Test func `two slots of one object with different names can each show a future`() async {
    let item = ListItem()
    var accessory: UIImage?
    let first = FutureImage.Slot<ListItem>("image", get: { $0.image }, set: { $0.setImage($1) })
    let second = FutureImage.Slot<ListItem>("accessory", get: { _ in accessory }, set: { accessory = $1 })
    let future = fixture.future()
    first.display(future, in: item)
    second.display(future, in: item)
    await fixture.serve()
    #expect(item.image?.cgImage != nil && accessory?.cgImage != nil)
    #expect(future.bindings.count == 2)
  }
}
#endif
