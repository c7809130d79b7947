#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// Row 19 of the report that `Tests/first-run` writes: placeholders whose appearance depends on the view.
@MainActor @Suite(.timeLimit(.minutes(5))) struct PlaceholderTests {
  private let stage = Stage()

  #if canImport(UIKit)
  /// Returns a square image view that scales its image to fill the square.
  private func makeView(tint: UIColor) -> UIImageView {
    let view = stage.makeImageView(40)
    view.contentMode = .scaleToFill
    view.tintColor = tint
    return view
  }

  @Test(arguments: [nil, CGSize(width: 320, height: 240)])
  func `a symbol that is a future's placeholder has the view's tint`(size: CGSize?) throws {
    let symbol = try #require(UIImage(systemName: "square.fill"))
    let (plain, bound) = (makeView(tint: .red), makeView(tint: .red))
    plain.image = symbol
    bound.futureImage = try stage.future(placeholder: symbol, size: size)
    #expect(try bound.firstDrawnPixel() == plain.firstDrawnPixel())
    #expect(bound.intrinsicContentSize == plain.intrinsicContentSize)
    record(19, "first pixel of a symbol: plain, and as a placeholder", "\(try plain.firstDrawnPixel()) \(try bound.firstDrawnPixel())")
  }

  @Test func `a symbol that is a future's placeholder is drawn with its point size, weight, and palette`() throws {
    let configuration = UIImage.SymbolConfiguration(pointSize: 40, weight: .black)
      .applying(UIImage.SymbolConfiguration(paletteColors: [.green, .blue]))
    let symbol = try #require(UIImage(systemName: "square.fill", withConfiguration: configuration))
    let (plain, bound) = (makeView(tint: .red), makeView(tint: .red))
    plain.image = symbol
    bound.futureImage = try stage.future(placeholder: symbol, size: CGSize(width: 320, height: 240))
    #expect(bound.intrinsicContentSize == plain.intrinsicContentSize)
    let middle = CGPoint(x: 0.5, y: 0.5)
    #expect(try bound.drawnPixel(middle) == plain.drawnPixel(middle))
    record(19, "size of a symbol of 40 points: plain, and as a placeholder", "\(plain.intrinsicContentSize) \(bound.intrinsicContentSize)")
  }
  #endif

  @Test(arguments: [nil, CGSize(width: 320, height: 240)])
  func `an asset that is a future's placeholder is drawn in its dark style in dark mode`(size: CGSize?) throws {
    let (light, dark) = (Pixels.image(red: 250, green: 250, blue: 250), Pixels.image(red: 5, green: 5, blue: 5))
    let asset = UIImageAsset()
    asset.register(light, with: UITraitCollection(userInterfaceStyle: .light))
    asset.register(dark, with: UITraitCollection(userInterfaceStyle: .dark))
    let placeholder = asset.image(with: UITraitCollection(userInterfaceStyle: .light))
    let (plain, bound) = (stage.makeImageView(40), stage.makeImageView(40))
    for view in [plain, bound] { view.contentMode = .scaleToFill }
    plain.image = placeholder
    bound.futureImage = try stage.future(placeholder: placeholder, size: size)
    for style in [UIUserInterfaceStyle.light, .dark] {
      stage.window.overrideUserInterfaceStyle = style
      stage.window.layoutIfNeeded()
      #expect(try bound.firstDrawnPixel() == plain.firstDrawnPixel())
      record(19, "first pixel of an asset in style \(style.rawValue)", "\(try plain.firstDrawnPixel()) \(try bound.firstDrawnPixel())")
    }
  }
}
#endif
