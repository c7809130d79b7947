#if canImport(UIKit) || canImport(UIKitStandIn)
import FutureImage
import Testing

/// Row 23 of the report that `Tests/first-run` writes: photos in buttons and bars. If the rendering mode of an image is automatic, some
/// buttons and bars draw the image as a template.
@MainActor @Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ChromeTests {
  private let stage = Stage()

  /// The kinds of buttons.
  enum Kind: String, CaseIterable, Sendable {
    case custom, system, plain, filled

    @MainActor func make() -> UIButton {
      switch self {
      case .custom: UIButton(type: .custom)
      case .system: UIButton(type: .system)
      case .plain: UIButton(configuration: .plain())
      case .filled: UIButton(configuration: .filled())
      }
    }
  }

  private func button(_ kind: Kind) -> UIButton {
    let button = kind.make()
    button.frame = CGRect(x: 0, y: 0, width: 100, height: 75)
    stage.window.addSubview(button)
    return button
  }

  #if canImport(UIKit)
  private func isPhoto(_ view: UIView) throws -> Bool { Pixels.isPhoto(try view.drawnPixel(CGPoint(x: 0.5, y: 0.5), by: .screen)) }
  #else
  private func isPhoto(_ button: UIButton) throws -> Bool {
    button.layoutIfNeeded()
    return button.displayedImage?.cgImage != nil && !button.drawsTemplate
  }
  #endif

  @Test(arguments: Kind.allCases) func `a photo in a button is drawn in its own colors`(kind: Kind) async throws {
    let (bound, plain) = (button(kind), button(kind))
    plain.setImage(Pixels.image(), for: .normal)
    record(23, "\(kind.rawValue) button draws an image of automatic mode in its own colors", try isPhoto(plain))
    bound.display(try stage.future(), for: .normal)
    await stage.serve(Pixels.jpeg())
    #expect(try isPhoto(bound))
  }

  #if canImport(UIKit)
  @Test func `a photo in a bar is drawn in its own colors`() async throws {
    let item = UIBarButtonItem()
    let controller = UIViewController()
    controller.navigationItem.rightBarButtonItem = item
    let navigation = UINavigationController(rootViewController: controller)
    stage.window.rootViewController = navigation
    FutureImage.Slot(\UIBarButtonItem.image, renderingMode: .alwaysOriginal).display(try stage.future(), in: item)
    await stage.serve(Pixels.jpeg(28))
    #expect(item.image?.renderingMode == .alwaysOriginal)
    let bar = navigation.navigationBar
    let places = stride(from: 0.5, through: 1, by: 0.01).map { CGPoint(x: $0, y: 0.5) }
    let showsPhoto = try places.contains { Pixels.isPhoto(try bar.drawnPixel($0, by: .screen)) }
    record(23, "a bar draws a photo of mode alwaysOriginal in its own colors", showsPhoto)
    #expect(showsPhoto)
  }
  #endif
}
#endif
