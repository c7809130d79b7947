import CGtk
import FutureImage
import Storefront

/// A print in the grid. The grid creates a few cells and reuses them.
@MainActor
final class PrintCell {
  let widget: Widget
  let imageView = PictureView(expecting: CGSize(width: 204, height: pictureHeight))
  private(set) var item: Item?
  private let bar = made(gtk_progress_bar_new())
  private let retryButton: Widget
  private let title = label().styled("title")
  private let format = label().styled("quiet").expanding(true, false)
  private let price = label().styled("price")
  static let pictureHeight = 176

  init() {
    let icon = made(gtk_image_new_from_icon_name("view-refresh-symbolic")).styled("failure-icon")
    gtk_image_set_pixel_size(icon.object, 28)
    let hint = label("Click to retry").styled("failure-hint").aligned(GTK_ALIGN_CENTER)
    retryButton = made(gtk_button_new()).styled("failure")
    gtk_button_set_child(retryButton.cast(), column(spacing: 6, icon, hint).aligned(GTK_ALIGN_CENTER, GTK_ALIGN_CENTER))

    // The image overlays an empty box, so the image's size does not affect the cell's size.
    let frame = made(gtk_overlay_new()).styled("print").clipped()
    gtk_overlay_set_child(frame.object, column().sized(150, Self.pictureHeight))
    for layer in [imageView.widget, bar.aligned(GTK_ALIGN_FILL, GTK_ALIGN_END), retryButton] {
      gtk_overlay_add_overlay(frame.object, layer)
    }
    widget = column(spacing: 2, frame, title, row(spacing: 8, format, price)).styled("cell")
    on("clicked", of: retryButton.object) { [weak self] in self?.retry() }
    bar.isVisible = false
    retryButton.isVisible = false
  }

  func show(_ item: Item) {
    self.item = item
    gtk_label_set_text(title.object, item.title)
    gtk_label_set_text(format.object, item.format)
    gtk_label_set_text(price.object, item.price.text)
    imageView.display(item.primaryImage, .init { [weak self] phase in self?.show(phase) })
  }

  /// Requests the image again. A failure is shown as a button. The presentation's `retriesOnTap` needs taps, which this window
  /// does not report to the stand-in.
  private func retry() { item?.primaryImage.reload() }

  private func show(_ phase: FutureImage.Phase) {
    var fraction: Double?
    if case .loading(let known) = phase { fraction = known }
    bar.isVisible = fraction != nil
    gtk_progress_bar_set_fraction(bar.object, fraction ?? 0)
    var hasFailed = false
    if case .failed = phase { hasFailed = true }
    retryButton.isVisible = hasFailed
  }
}

extension PrintCell {
  enum State: Hashable {
    case empty, placeholder, progress, failed, picture
  }

  /// The visible state of the cell.
  var state: State {
    if item == nil { return .empty }
    if retryButton.isVisible { return .failed }
    if bar.isVisible { return .progress }
    return imageView.image == nil || imageView.futureImage != nil ? .placeholder : .picture
  }

  /// Clicks the button that shows the failure.
  func clickRetry() { gtk_widget_activate(retryButton) }
}
