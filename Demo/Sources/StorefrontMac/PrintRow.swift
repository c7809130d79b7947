#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import FutureImage
import Storefront

/// A row of the table: the image of a print, its name, and its price. The table recycles rows for other prints.
final class PrintRow: NSTableCellView {
  static let identifier = NSUserInterfaceItemIdentifier("PrintRow")
  static let height: CGFloat = 72

  // The view has its final size from the start, because the library decodes an image for the size of its view.
  private let photo = NSImageView(frame: NSRect(x: 0, y: 0, width: 84, height: 60))
  private let name = NSTextField(labelWithString: "")
  private let price = NSTextField(labelWithString: "")

  override init(frame: NSRect) {
    super.init(frame: frame)
    build()
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
    build()
  }

  func show(_ item: Item) {
    // In a recycled row, this replaces the image of the previous print at once, and nothing has to be canceled.
    photo.futureImage = item.primaryImage
    name.stringValue = item.title
    price.stringValue = item.price.text
  }

  private func build() {
    identifier = Self.identifier
    photo.imageScaling = .scaleProportionallyUpOrDown
    name.lineBreakMode = .byTruncatingTail
    name.setContentCompressionResistancePriority(.defaultLow, for: .horizontal)
    price.setContentHuggingPriority(.required, for: .horizontal)
    let stack = NSStackView(views: [photo, name, price])
    stack.distribution = .fill
    stack.spacing = 12
    fill(with: stack, margin: 6)
    NSLayoutConstraint.activate([
      photo.widthAnchor.constraint(equalToConstant: photo.frame.width),
      photo.heightAnchor.constraint(equalToConstant: photo.frame.height)
    ])
    // The superclass does not retain these views. When the row is selected, the superclass colors the text.
    imageView = photo
    textField = name
  }
}
#endif
