#if canImport(UIKit) || canImport(UIKitStandIn)
import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The alternative text of an image, which becomes the accessibility label of the view that shows the image.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct AlternativeTextTests {
  private let fixture = LoaderFixture()

  private struct Item: Decodable {
    let caption: String
    @FutureImage.From<Described, FutureImage> var photo: FutureImage
  }

  private enum Described: FutureImage.Recipe {
    static func alternativeText(in fields: FutureImage.SiblingFields) -> String? { fields.value("caption", as: String.self) }
  }

  private func photo(_ caption: String) throws -> FutureImage {
    let json = Data(#"{"photo": "https://shop.test/\#(caption).jpg", "caption": "\#(caption)"}"#.utf8)
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(Item.self, from: json).photo
  }

  @Test(arguments: [false, true])
  func `an image view that is bound to a future has the future's alternative text as its label`(usesPresentation: Bool) throws {
    let view = imageView(64)
    #expect(!view.isAccessibilityElement)
    func bind(_ image: FutureImage?) { if usesPresentation { view.display(image, .init()) } else { view.futureImage = image } }
    bind(try photo("chair"))
    #expect(view.accessibilityLabel == "chair" && view.isAccessibilityElement)
    bind(try photo("table"))
    #expect(view.accessibilityLabel == "table" && view.isAccessibilityElement)
    bind(fixture.future())
    #expect(view.accessibilityLabel == nil && !view.isAccessibilityElement)
    bind(try photo("lamp"))
    bind(nil)
    #expect(view.accessibilityLabel == nil && !view.isAccessibilityElement)
  }

  @Test func `an accessibility label that the app has set does not change when the view gets or loses a future`() throws {
    let view = imageView(64)
    view.accessibilityLabel = "a chair in oak"
    view.futureImage = try photo("chair")
    #expect(view.accessibilityLabel == "a chair in oak" && !view.isAccessibilityElement)
    view.accessibilityLabel = nil
    view.futureImage = try photo("table")
    view.accessibilityLabel = "a table in oak"
    view.futureImage = nil
    #expect(view.accessibilityLabel == "a table in oak" && view.isAccessibilityElement)
  }

  @Test func `the alternative text of a new future replaces the label that a former, released future has set`() throws {
    let view = imageView(64)
    view.futureImage = try photo("chair")
    view.futureImage = try photo("table")
    #expect(view.accessibilityLabel == "table")
  }

  @Test func `the alternative text of a button's image becomes the button's label only if the button has no title`() throws {
    let button = UIButton(type: .custom)
    let slot = FutureImage.Slot<UIButton>.image(for: .normal)
    slot.display(try photo("chair"), in: button)
    #expect(button.accessibilityLabel == "chair" && button.isAccessibilityElement)
    slot.display(nil, in: button)
    #expect(button.accessibilityLabel == nil && button.isAccessibilityElement)
    button.setTitle("Buy", for: .normal)
    slot.display(try photo("table"), in: button)
    #expect(button.accessibilityLabel == nil)
    let configured = UIButton(configuration: .plain())
    configured.configuration?.title = "Buy"
    slot.display(try photo("lamp"), in: configured)
    #expect(configured.accessibilityLabel == nil)
  }
}
#endif
