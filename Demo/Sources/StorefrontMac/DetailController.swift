#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import FutureImage
import Storefront

/// The window of one print. It has a banner that the print's image fills, the whole image, and the photo's credit. A button switches
/// between the print and a close-up.
final class DetailController: NSViewController {
  private let item: Item
  private let banner = FilledImageView()
  private let imageView = NSImageView()
  private let closeUpButton = NSButton()

  private static let placeholder = symbol("photo")
  private static let failureImage = symbol("arrow.clockwise")

  init(_ item: Item) {
    self.item = item
    super.init(nibName: nil, bundle: nil)
    title = item.title
  }

  /// Always returns nil, because a window from a storyboard would have no item and so no content.
  required init?(coder: NSCoder) { nil }

  override func loadView() {
    imageView.imageScaling = .scaleProportionallyUpOrDown
    // Without these priorities, the window would grow to the size of the image.
    for orientation in [NSLayoutConstraint.Orientation.horizontal, .vertical] {
      imageView.setContentHuggingPriority(.defaultLow, for: orientation)
      imageView.setContentCompressionResistancePriority(.defaultLow, for: orientation)
    }
    closeUpButton.setButtonType(.toggle)
    closeUpButton.isBordered = false
    closeUpButton.imagePosition = .imageOnly
    closeUpButton.imageScaling = .scaleProportionallyUpOrDown
    closeUpButton.toolTip = "Close-up"
    closeUpButton.target = self
    closeUpButton.action = #selector(choose)
    closeUpButton.isHidden = item.details.count < 2
    arrange()
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    // The button shows what a click opens: the close-up, or the print while the button is on.
    closeUpButton.display(item.details.last?.image)
    closeUpButton.displayAlternate(item.details.first?.image)
    choose()
  }

  @objc private func choose() {
    let detail = closeUpButton.state == .on ? item.details.last : item.details.first
    banner.photo = detail?.image
    imageView.display(
      detail?.image,
      .init(
        transition: .fade(seconds: 0.2), placeholder: Self.placeholder, failureImage: Self.failureImage,
        contentModes: (image: .scaleProportionallyUpOrDown, placeholder: .scaleNone, failure: .scaleNone), indicator: .activity,
        retriesOnTap: true))
  }

  private func arrange() {
    let facts = NSTextField(
      wrappingLabelWithString: "\(item.price.text), \(item.format)\nPhotograph: \(item.credit)\nTerms: \(item.license)")
    let bottom = NSStackView(views: [facts, closeUpButton])
    bottom.distribution = .fill
    let column = NSStackView(views: [banner, imageView, bottom])
    column.orientation = .vertical
    column.distribution = .fill
    column.spacing = 16
    view = NSView()
    view.fill(with: column, margin: 20)
    NSLayoutConstraint.activate([
      banner.heightAnchor.constraint(equalToConstant: 140),
      banner.widthAnchor.constraint(equalTo: column.widthAnchor),
      imageView.widthAnchor.constraint(equalTo: column.widthAnchor),
      bottom.widthAnchor.constraint(equalTo: column.widthAnchor),
      closeUpButton.widthAnchor.constraint(equalToConstant: 96),
      closeUpButton.heightAnchor.constraint(equalToConstant: 72)
    ])
  }

  /// Returns a symbol as an image of the library. It is a template, which AppKit draws in the color of text.
  private static func symbol(_ name: String) -> BaseImage? {
    NSImage(systemSymbolName: name, accessibilityDescription: nil).flatMap { BaseImage($0) }
  }
}
#endif
