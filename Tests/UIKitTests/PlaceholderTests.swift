import FutureImage
import Testing

/// Row 19: placeholders whose appearance depends on the view.
@MainActor @Suite(.timeLimit(.minutes(5))) struct PlaceholderTests {
  private let stage = Stage()

  #if canImport(UIKit)
  /// Returns a view of the symbol that fills a square.
  private func makeView(tint: UIColor) -> UIImageView {
    let view = stage.makeImageView(40)
    view.contentMode = .scaleToFill
    view.tintColor = tint
    return view
  }

  @Test func `a symbol that is a future's placeholder has the view's tint`() throws {
    let symbol = try #require(UIImage(systemName: "square.fill"))
    let (plain, bound) = (makeView(tint: .red), makeView(tint: .red))
    plain.image = symbol
    bound.futureImage = try stage.future(placeholder: symbol)
    #expect(try bound.firstDrawnPixel() == plain.firstDrawnPixel())
    #expect(bound.intrinsicContentSize == plain.intrinsicContentSize)
    record(19, "first pixel of a symbol, as it is and under a future", "\(try plain.firstDrawnPixel()) \(try bound.firstDrawnPixel())")
  }

  #endif

  @Test func `an asset that is a future's placeholder has its dark variant in dark mode`() throws {
    let (light, dark) = (Pixels.image(red: 250, green: 250, blue: 250), Pixels.image(red: 5, green: 5, blue: 5))
    let asset = UIImageAsset()
    asset.register(light, with: UITraitCollection(userInterfaceStyle: .light))
    asset.register(dark, with: UITraitCollection(userInterfaceStyle: .dark))
    let placeholder = asset.image(with: UITraitCollection(userInterfaceStyle: .light))
    let (plain, bound) = (stage.makeImageView(40), stage.makeImageView(40))
    for view in [plain, bound] { view.contentMode = .scaleToFill }
    plain.image = placeholder
    bound.futureImage = try stage.future(placeholder: placeholder)
    for style in [UIUserInterfaceStyle.light, .dark] {
      stage.window.overrideUserInterfaceStyle = style
      stage.window.layoutIfNeeded()
      #expect(try bound.firstDrawnPixel() == plain.firstDrawnPixel())
      record(19, "first pixel of an asset, style \(style.rawValue)", "\(try plain.firstDrawnPixel()) \(try bound.firstDrawnPixel())")
    }
  }
}
