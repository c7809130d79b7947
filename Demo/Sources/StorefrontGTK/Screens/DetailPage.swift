import CGtk
import FutureImage
import Storefront

/// The page of one print: its large image, its close-ups, and its credit.
@MainActor
final class DetailPage {
  let widget: Widget
  let imageView = PictureView()
  let carousel = Carousel()
  private var item: Item?
  private let frame = made(gtk_aspect_frame_new(0.5, 0.5, 1.5, 0)).expanding()
  private let caption = label().styled("quiet").aligned(GTK_ALIGN_CENTER)
  private let title = label(lines: 3).styled("detail-title")
  private let format = label(lines: 2).styled("detail-format")
  private let price = label().styled("detail-price")
  private let pixels = label(lines: 2)
  private let credit = label(lines: 6)
  private let license = label(lines: 3)

  init() {
    gtk_aspect_frame_set_child(frame.object, imageView.widget.styled("framed"))
    let wall = column(spacing: 14, frame, caption, carousel.widget).styled("wall").expanding()
    let facts = column(
      spacing: 4, title, format, price,
      label("Photograph").styled("heading"), credit,
      label("Terms").styled("heading"), license,
      label("Original").styled("heading"), pixels
    )
    widget = row(wall, facts.styled("facts").sized(300, -1)).styled("detail")
    carousel.onChoose = { [weak self] in self?.choose($0) }
  }

  func show(_ item: Item) {
    self.item = item
    gtk_label_set_text(title.object, item.title)
    gtk_label_set_text(format.object, item.format)
    gtk_label_set_text(price.object, item.price.text)
    gtk_label_set_text(pixels.object, "\(item.width) × \(item.height) pixels")
    gtk_label_set_text(credit.object, item.credit)
    gtk_label_set_text(license.object, item.license)
    carousel.images = item.detailImages
    choose(0)
  }

  /// Releases the images.
  func empty() {
    item = nil
    imageView.futureImage = nil
    carousel.images = []
  }

  private func choose(_ index: Int) {
    guard let detail = item?.details[index] else { return }
    carousel.chosen = index
    gtk_label_set_text(caption.object, detail.caption)
    gtk_aspect_frame_set_ratio(frame.object, Float(detail.width) / Float(detail.height))
    imageView.futureImage = detail.image
  }
}
