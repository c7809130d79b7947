#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImage
import FutureImageTesting
import Testing

/// Tests the rows of the table "Views" in Ancestors.md, in the table's order.
@MainActor @Suite("Views", .tags(.threads), .timeLimit(.minutes(5))) struct ViewsTests {
  private let fixture = LoaderFixture { $0.retry = .never }
  private let view = imageView(64)
  private let button = UIButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48))

  private func serve(_ colors: [String: TestColor]) async {
    await fixture.held.waitForHeld(colors.count)
    for (name, color) in colors { fixture.held.resolve(LoaderFixture.url(name), with: color.jpeg()) }
    await fixture.loader.waitForIdle()
  }

  @Test func `a button shows a different image in each state`() async {
    let (photo, pressed) = (fixture.future("photo"), fixture.future("pressed"))
    button.display(photo, for: .normal)
    button.display(pressed, for: .highlighted)
    await serve(["photo": .red, "pressed": .blue])
    #expect(TestColor.red.isNearly(button.image(for: .normal)?.color))
    #expect(TestColor.blue.isNearly(button.image(for: .highlighted)?.color))
  }

  @Test func `a button shows a different background image in each state`() async {
    let (photo, chosen) = (fixture.future("photo"), fixture.future("chosen"))
    FutureImage.Slot.backgroundImage(for: .normal).display(photo, in: button)
    FutureImage.Slot.backgroundImage(for: .selected).display(chosen, in: button)
    await serve(["photo": .red, "chosen": .blue])
    #expect(TestColor.red.isNearly(button.backgroundImage(for: .normal)?.color))
    #expect(TestColor.blue.isNearly(button.backgroundImage(for: .selected)?.color))
    #expect(button.image(for: .normal) == nil)
  }

  @Test func `an image view shows a future as its highlighted image`() async {
    let photo = fixture.future("photo")
    FutureImage.Slot.highlightedImage.display(photo, in: view)
    await serve(["photo": .red])
    #expect(TestColor.red.isNearly(view.highlightedImage?.color))
    #expect(view.image == nil)
  }

  @Test func `a view fades to an image only if the image arrives asynchronously`() async throws {
    let (view, other, photo) = (TransitionView(frame: view.frame), TransitionView(frame: view.frame), fixture.future("photo"))
    view.display(photo, .init(transition: .fade(seconds: 0.2)))
    await serve(["photo": .red])
    view.expectTransitions([.init(options: [.transitionCrossDissolve, .allowUserInteraction], seconds: 0.2)])
    #expect(TestColor.red.isNearly(view.image?.color))
    other.display(photo, .init(transition: .fade(seconds: 0.2)))
    #expect(TestColor.red.isNearly(other.image?.color))
    other.expectTransitions([])
  }

  @Test func `a transition can have any animation options`() async {
    let (view, photo) = (TransitionView(frame: view.frame), fixture.future("photo"))
    view.display(photo, .init(transition: .animated(.transitionFlipFromLeft, seconds: 0.3)))
    await serve(["photo": .red])
    view.expectTransitions([.init(options: .transitionFlipFromLeft, seconds: 0.3)])
    #expect(TestColor.red.isNearly(view.image?.color))
  }

  @Test func `a view shows a placeholder until the image arrives`() async {
    let (photo, sketch) = (fixture.future("photo"), SampleImage.image(10, 10))
    view.display(photo, .init(placeholder: sketch))
    #expect(view.image?.looksLike(sketch) == true)
    await serve(["photo": .red])
    #expect(TestColor.red.isNearly(view.image?.color))
  }

  @Test func `a view shows a failure image if the image fails`() async {
    let (photo, broken) = (fixture.future("photo"), SampleImage.image(30, 30))
    view.display(photo, .init(failureImage: broken))
    await fixture.held.waitForHeld()
    #expect(view.image === photo)
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(view.image?.looksLike(broken) == true)
  }

  @Test func `the image, the placeholder, and the failure image each have a content mode`() async {
    let (photo, sketch, broken) = (fixture.future("photo"), SampleImage.image(10, 10), SampleImage.image(30, 30))
    view.display(
      photo,
      .init(
        placeholder: sketch, failureImage: broken,
        contentModes: (image: .scaleAspectFill, placeholder: .center, failure: .top)))
    #expect(view.contentMode == .center)
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    #expect(view.contentMode == .top)
    photo.reload()
    await serve(["photo": .red])
    #expect(view.contentMode == .scaleAspectFill)
  }

  @Test func `a view shows an activity indicator until the image arrives`() async {
    let photo = fixture.future("photo")
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

  @Test func `a callback starts and stops the app's own indicator`() async {
    let (photo, spinner) = (fixture.future("photo"), Spinner())
    view.display(photo, .init { phase in phase.isFinal ? spinner.stopAnimating() : spinner.startAnimating() })
    #expect(spinner.isAnimating)
    await serve(["photo": .red])
    #expect(!spinner.isAnimating)
  }

  @Test func `a tap on a view loads a failed image again`() async throws {
    let photo = fixture.future("photo")
    view.display(photo, .init(retriesOnTap: true))
    await fixture.held.waitForHeld()
    fixture.held.fail()
    await fixture.loader.waitForIdle()
    let tap = try #require(view.gestureRecognizers?.first as? UITapGestureRecognizer)
    tap.tap()
    await serve(["photo": .red])
    #expect(TestColor.red.isNearly(view.image?.color))
  }

  @Test func `an image that the app sets for a key appears in the view`() async throws {
    let (first, drawing) = (SampleImage.image(blue: 0), SampleImage.image(blue: 250))
    let draft = FutureImage(.image(first, key: "draft"), loader: fixture.loader)
    view.futureImage = draft
    await fixture.loader.waitForIdle()
    #expect(view.image?.color == first.color)
    try await fixture.loader.set(drawing, forKey: "draft")
    await fixture.loader.waitForIdle()
    #expect(view.image?.color == drawing.color)
    #expect(draft.key == "draft")
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a view shows the image of a file`() async throws {
    let file = Scratch.folder().appendingPathExtension("jpg")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TestColor.blue.jpeg().write(to: file)
    view.futureImage = FutureImage(.file(file), loader: fixture.loader)
    await fixture.loader.waitForIdle()
    #expect(TestColor.blue.isNearly(view.image?.color))
  }
}
#endif
