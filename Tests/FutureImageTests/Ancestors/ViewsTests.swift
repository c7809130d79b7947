import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Tests the rows of the table "Views" in Ancestors.md, in the table's order.
@MainActor @Suite("Views", .tags(.threads), .timeLimit(.minutes(5))) struct ViewsTests {
  private let shop = Shop { $0.retry = .never }
  private let view = imageView(64)
  private let button = UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48))

  private func serve(_ pictures: [String: Colour]) async {
    await shop.held.waitForHeld(pictures.count)
    for (name, colour) in pictures { shop.held.resolve(Shop.url(name), with: colour.jpeg()) }
    await shop.loader.waitUntilSettled()
  }

  @Test func `image of a button for each state`() async {
    let (photo, pressed) = (shop.future("photo"), shop.future("pressed"))
    button.display(photo, for: .normal)
    button.display(pressed, for: .highlighted)
    await serve(["photo": .red, "pressed": .blue])
    #expect(Colour.red.isNearly(button.image(for: .normal)?.colour))
    #expect(Colour.blue.isNearly(button.image(for: .highlighted)?.colour))
  }

  @Test func `background image of a button for each state`() async {
    let (photo, chosen) = (shop.future("photo"), shop.future("chosen"))
    button.displayBackground(photo, for: .normal)
    button.displayBackground(chosen, for: .selected)
    await serve(["photo": .red, "chosen": .blue])
    #expect(Colour.red.isNearly(button.backgroundImage(for: .normal)?.colour))
    #expect(Colour.blue.isNearly(button.backgroundImage(for: .selected)?.colour))
    #expect(button.image(for: .normal) == nil)
  }

  @Test func `highlighted image of an image view`() async {
    let photo = shop.future("photo")
    view.highlightedFutureImage = photo
    await serve(["photo": .red])
    #expect(Colour.red.isNearly(view.highlightedImage?.colour))
    #expect(view.image == nil)
  }

  @Test func `fade only when the image arrives asynchronously`() async throws {
    let (view, other, photo) = (TransitionView(frame: view.frame), TransitionView(frame: view.frame), shop.future("photo"))
    view.display(photo, .init(transition: .fade(seconds: 0.2)))
    await serve(["photo": .red])
    view.expectTransitions([.init(options: [.transitionCrossDissolve, .allowUserInteraction], seconds: 0.2)])
    #expect(Colour.red.isNearly(view.image?.colour))
    other.display(photo, .init(transition: .fade(seconds: 0.2)))
    #expect(Colour.red.isNearly(other.image?.colour))
    other.expectTransitions([])
  }

  @Test func `any animation options`() async {
    let (view, photo) = (TransitionView(frame: view.frame), shop.future("photo"))
    view.display(photo, .init(transition: .animated(.transitionFlipFromLeft, seconds: 0.3)))
    await serve(["photo": .red])
    view.expectTransitions([.init(options: .transitionFlipFromLeft, seconds: 0.3)])
    #expect(Colour.red.isNearly(view.image?.colour))
  }

  @Test func `placeholder`() async {
    let (photo, sketch) = (shop.future("photo"), Picture.image(10, 10))
    view.display(photo, .init(placeholder: sketch))
    #expect(view.image?.looksLike(sketch) == true)
    await serve(["photo": .red])
    #expect(Colour.red.isNearly(view.image?.colour))
  }

  @Test func `failure image`() async {
    let (photo, broken) = (shop.future("photo"), Picture.image(30, 30))
    view.display(photo, .init(failureImage: broken))
    await shop.held.waitForHeld()
    #expect(view.image === photo)
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    #expect(view.image?.looksLike(broken) == true)
  }

  @Test func `content mode for each of them`() async {
    let (photo, sketch, broken) = (shop.future("photo"), Picture.image(10, 10), Picture.image(30, 30))
    let modes = FutureImage.Presentation.ContentModes(picture: .scaleAspectFill, placeholder: .center, failure: .top)
    view.display(photo, .init(placeholder: sketch, failureImage: broken, contentModes: modes))
    #expect(view.contentMode == .center)
    await shop.held.waitForHeld()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    #expect(view.contentMode == .top)
    photo.reload()
    await serve(["photo": .red])
    #expect(view.contentMode == .scaleAspectFill)
  }

  @Test func `activity indicator`() async {
    let photo = shop.future("photo")
    view.display(photo, .init(indicator: .activity))
    #expect(view.subviews.contains { $0 is UIActivityIndicatorView })
    await serve(["photo": .red])
    #expect(!view.subviews.contains { $0 is UIActivityIndicatorView })
  }

  private final class Spinner {
    var isAnimating = false
    func startAnimating() { isAnimating = true }
    func stopAnimating() { isAnimating = false }
  }

  @Test func `indicator hook`() async {
    let (photo, spinner) = (shop.future("photo"), Spinner())
    view.display(photo, .init { phase in phase.isFinal ? spinner.stopAnimating() : spinner.startAnimating() })
    #expect(spinner.isAnimating)
    await serve(["photo": .red])
    #expect(!spinner.isAnimating)
  }

  @Test func `retry on tap`() async throws {
    let photo = shop.future("photo")
    view.display(photo, .init(retriesOnTap: true))
    await shop.held.waitForHeld()
    shop.held.fail()
    await shop.loader.waitUntilSettled()
    let tap = try #require(view.gestureRecognizers?.first as? UITapGestureRecognizer)
    tap.tap()
    await serve(["photo": .red])
    #expect(Colour.red.isNearly(view.image?.colour))
  }

  @Test func `an image set by hand with a key`() async throws {
    let (first, drawing) = (Picture.image(blue: 0), Picture.image(blue: 250))
    let draft = FutureImage(.image(first, key: "draft"), loader: shop.loader)
    view.futureImage = draft
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour == first.colour)
    try await shop.loader.set(drawing, forKey: "draft")
    await shop.loader.waitUntilSettled()
    #expect(view.image?.colour == drawing.colour)
    #expect(draft.key == "draft")
    #expect(shop.held.requests.isEmpty)
  }

  @Test func `a file into a view by the same path`() async throws {
    let file = Scratch.folder().appendingPathExtension("jpg")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Colour.blue.jpeg().write(to: file)
    view.futureImage = FutureImage(.file(file), loader: shop.loader)
    await shop.loader.waitUntilSettled()
    #expect(Colour.blue.isNearly(view.image?.colour))
  }
}
