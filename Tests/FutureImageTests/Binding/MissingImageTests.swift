import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// Models without an image, because their future is nil or was decoded from a string that is not a URL.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct MissingImageTests {
  private let fixture = LoaderFixture()
  private let sketch = SampleImage.image(8, 8)
  private let broken = SampleImage.image(20, 20)

  private struct Row: Decodable {
    @FutureImage.FromURL var badge: FutureImage?
    @FutureImage.FromURL var photo: FutureImage
  }

  @Test func `a view that displays nil shows the presentation's placeholder, or no image if there is none`() async {
    let view = imageView(100)
    let future = fixture.future()
    view.futureImage = future
    view.display(nil, .init(placeholder: sketch))
    #expect(view.image === sketch)
    await fixture.serve()
    #expect(view.image === sketch)
    view.display(nil)
    #expect(view.image == nil)
    view.display(nil, .init(failureImage: broken))
    #expect(view.image == nil)
    withExtendedLifetime(future) {}
  }

  @Test(arguments: ["null", "\"\"", "\"no url\""])
  func `a view shows the placeholder if the JSON of an optional future is null, empty, or not a URL`(text: String) throws {
    let json = Data("{\"badge\": \(text), \"photo\": \"https://shop.test/a.jpg\"}".utf8)
    let row = try JSONDecoder().decode(Row.self, from: json)
    let view = imageView(100)
    view.display(row.badge, .init(placeholder: sketch, failureImage: broken))
    #expect(view.image === sketch)
  }

  @Test func `a view shows the failure image of a future that was decoded from a string that is not a URL`() async throws {
    let row = try JSONDecoder().decode(Row.self, from: Data("{\"photo\": \"no url\"}".utf8))
    let view = imageView(100)
    view.display(row.photo, .init(placeholder: sketch, failureImage: broken))
    await FutureImage.Loader.shared.delivered()
    await waitWhile(view.image?.looksLike(broken) != true)
  }
}

#if canImport(UIKit) || canImport(UIKitStandIn)
extension MissingImageTests {
  @Test func `a placeholder for nil is shown in its content mode, and emptying the view restores the view's own mode`() async {
    let view = imageView(100)
    view.contentMode = .scaleAspectFit
    let modes = (image: UIView.ContentMode.scaleAspectFill, placeholder: UIView.ContentMode.center, failure: UIView.ContentMode.bottom)
    view.display(nil, .init(placeholder: sketch, contentModes: modes))
    #expect(view.contentMode == .center)
    let future = fixture.future()
    view.display(future, .init(placeholder: sketch, contentModes: modes))
    await fixture.serve()
    #expect(view.contentMode == .scaleAspectFill)
    view.display(nil)
    #expect(view.contentMode == .scaleAspectFit && view.image == nil)
  }

  @Test func `buttons, slots, and cells show the placeholder for nil`() {
    let (button, cell) = (UIButton(type: .custom), UITableViewCell())
    button.display(nil, for: .normal, .init(placeholder: sketch))
    FutureImage.Slot.backgroundImage(for: .normal).display(nil, in: button, .init(placeholder: sketch))
    cell.display(cell.defaultContentConfiguration(), .init(placeholder: sketch))
    #expect(button.image(for: .normal) === sketch && button.backgroundImage(for: .normal) === sketch)
    #expect((cell.contentConfiguration as? UIListContentConfiguration)?.image === sketch)
    cell.display(cell.defaultContentConfiguration())
    #expect((cell.contentConfiguration as? UIListContentConfiguration)?.image == nil)
  }
}
#endif
