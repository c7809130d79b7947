import CGtk
import FutureImage

/// A row of small images, one of which is selected. It accepts any images, including futures.
@MainActor
final class Carousel {
  let widget: Widget
  var onChoose: ((Int) -> Void)?
  private(set) var views: [PictureView] = []
  private static let pictureSize = CGSize(width: 104, height: 78)
  private var buttons: [Widget] = []

  init() {
    widget = row(spacing: 10).styled("carousel").aligned(GTK_ALIGN_CENTER)
  }

  var images: [UIImage] = [] {
    didSet {
      for button in buttons { gtk_box_remove(widget.cast(), button) }
      views = images.map { _ in PictureView(expecting: Self.pictureSize) }
      buttons = views.indices.map(makeButton)
      for (view, image) in zip(views, images) { view.display(image) }
    }
  }

  var chosen = 0 {
    didSet {
      for (index, button) in buttons.enumerated() {
        if index == chosen { button.styled("chosen") } else { gtk_widget_remove_css_class(button, "chosen") }
      }
    }
  }

  private func makeButton(for index: Int) -> Widget {
    let frame = made(gtk_overlay_new()).styled("print").clipped()
    gtk_overlay_set_child(frame.object, column().sized(Int(Self.pictureSize.width), Int(Self.pictureSize.height)))
    gtk_overlay_add_overlay(frame.object, views[index].widget)
    let button = made(gtk_button_new()).styled("flat", "thumbnail")
    gtk_button_set_child(button.cast(), frame)
    on("clicked", of: button.object) { [weak self] in self?.onChoose?(index) }
    gtk_box_append(widget.cast(), button)
    return button
  }
}
