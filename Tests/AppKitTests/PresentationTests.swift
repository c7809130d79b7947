#if canImport(AppKit) && !canImport(UIKit)
import FutureImageTesting
import Testing

@testable import FutureImage

/// Presentations in views of AppKit.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PresentationTests {
  private let stage = Stage()

  @Test func `an indicator spins in the view until the first pixels arrive`() async throws {
    let view = stage.imageView()
    view.display(try stage.future(), .init(indicator: .activity))
    let indicator = try #require(view.subviews.compactMap { $0 as? NSProgressIndicator }.first)
    #expect(indicator.style == .spinning)
    try await stage.serve()
    #expect(indicator.superview == nil)
  }

  @Test func `a click on a failed image loads it again`() async throws {
    let (view, future) = (stage.imageView(), try stage.future())
    view.display(future, .init(retriesOnTap: true))
    try await stage.fail()
    try #require(view.recognizers.first as? RetryTap).tap()
    try await stage.serve()
    #expect(isNearly(view.image?.color, .red))
    #expect(view.gestureRecognizers.isEmpty)
  }

  @Test func `a view shows the failure image with the scaling for failures until the view is emptied`() async throws {
    let view = stage.imageView()
    view.imageScaling = .scaleNone
    let bitmap = try #require(FutureImage.PixelBuffer(width: 8, height: 4)?.makeImage())
    view.display(
      try stage.future(),
      .init(
        failureImage: BaseImage(cgImage: bitmap),
        contentModes: (image: .scaleNone, placeholder: .scaleNone, failure: .scaleProportionallyUpOrDown)))
    try await stage.fail()
    #expect(view.image?.size == CGSize(width: 8, height: 4))
    #expect(view.imageScaling == .scaleProportionallyUpOrDown)
    view.futureImage = nil
    #expect(view.imageScaling == .scaleNone)
  }

  @Test func `a fade gives the view a layer and animates the layer`() async throws {
    let view = stage.imageView()
    view.display(try stage.future(), .init(transition: .fade(seconds: 0.2)))
    #expect(!view.wantsLayer)
    try await stage.serve()
    #expect(view.wantsLayer)
    #if !canImport(ObjectiveC)
    #expect(view.layer?.animations.values.map(\.duration) == [0.2])
    #endif
    #expect(isNearly(view.image?.color, .red))
  }

  @Test func `a custom transition decides when the image in the view changes`() async throws {
    let view = stage.imageView()
    var change: (@MainActor () -> Void)?
    view.display(try stage.future(), .init(transition: .custom { _, body in change = body }))
    try await stage.serve()
    #expect(view.image?.color == nil)
    change?()
    #expect(isNearly(view.image?.color, .red))
  }

  private struct Item: Decodable {
    let caption: String
    @FutureImage.From<Described, FutureImage> var photo: FutureImage
  }

  private enum Described: FutureImage.Recipe {
    static func alternativeText(in fields: FutureImage.SiblingFields) -> String? { fields.value("caption", as: String.self) }
  }

  @Test(arguments: [true, false])
  func `the alternative text of an image describes a button only if the button shows nothing else`(showsOnlyImage: Bool) throws {
    let (button, decoder) = (NSButton(frame: CGRect(x: 0, y: 0, width: 64, height: 48)), JSONDecoder())
    button.imagePosition = showsOnlyImage ? .imageOnly : .imageLeft
    decoder.userInfo[FutureImage.loaderKey] = stage.loader
    let json = Data(#"{"photo": "https://images.test/a", "caption": "a red car"}"#.utf8)
    button.futureImage = try decoder.decode(Item.self, from: json).photo
    #expect((button.accessibilityLabel() == "a red car") == showsOnlyImage)
  }

  @Test func `the alternative text of an image describes its view while the view is bound`() throws {
    let (view, decoder) = (stage.imageView(), JSONDecoder())
    decoder.userInfo[FutureImage.loaderKey] = stage.loader
    let json = Data(#"{"photo": "https://images.test/a", "caption": "a red car"}"#.utf8)
    view.futureImage = try decoder.decode(Item.self, from: json).photo
    #expect(view.accessibilityLabel() == "a red car")
    #expect(view.isAccessibilityElement())
    view.futureImage = nil
    #expect(view.accessibilityLabel() == nil)
  }
}
#endif
