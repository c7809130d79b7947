// An app for iOS and the Mac, with names of its own for the Mac's classes.
import AppKit
import FutureImage

typealias UIImage = NSImage
typealias UIColor = NSColor
typealias UIImageView = NSImageView

extension UIImage {
  func tinted(_ color: UIColor) -> UIImage {
    UIImage(size: size, flipped: false) { rect in
      self.draw(in: rect)
      color.set()
      return true
    }
  }
}
struct Product: Decodable, Sendable {
  let title: String
  @FutureImage.FromURL var photo: FutureImage
  @FutureImage.FromURL var badge: FutureImage?
}
@MainActor func show(_ product: Product, in view: UIImageView, _ button: NSButton) async throws {
  view.futureImage = product.photo
  view.futureImage = product.badge
  button.display(product.photo)
  button.displayAlternate(product.badge, .init(transition: .fade()))
  // The Mac's image and the library's image side by side.
  let logo: UIImage = UIImage(systemSymbolName: "bag", accessibilityDescription: nil)?.tinted(.systemBlue) ?? UIImage()
  view.image = logo
  view.display(BaseImage(logo), .init(placeholder: BaseImage(logo)))
  let pictures: [BaseImage] = [product.photo, product.badge].compactMap { $0 }
  view.display(pictures.first)
  let whole: UIImage = try await product.photo.nsImage()
  let value: BaseImage = try await product.photo.value
  view.image = value.size == whole.size ? whole : value.nsImage
}
