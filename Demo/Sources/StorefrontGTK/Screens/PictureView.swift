import CGtk
import FutureImage

/// A view that uses a GtkPicture as UIKit uses UIImageView. Set an image or a future. The image fills the view, and the parts outside the
/// view are cut off.
@MainActor
final class PictureView: ImageDisplaying {
  let widget: Widget

  /// The size from which ``pixelFitting`` is computed until GTK has allocated a size for the view, in points; nil if it is unknown.
  private let expected: CGSize?

  init(expecting size: CGSize? = nil) {
    expected = size
    widget = made(gtk_picture_new())
    // Images may arrive after the last parent has released the widget, so the view owns the widget, too.
    g_object_ref_sink(gpointer(widget))
    gtk_picture_set_content_fit(widget.object, GTK_CONTENT_FIT_COVER)
  }

  // This runs on the main actor, because GTK's objects are released on the main thread.
  isolated deinit { g_object_unref(gpointer(widget)) }

  /// The image that is on the screen. For an animated image, it is one frame after another.
  private(set) var drawn: CGImage?

  var image: UIImage? {
    didSet { if image !== oldValue { show() } }
  }

  /// The size in pixels that the view has on the screen, or will have.
  var pixelFitting: FutureImage.Fitting? {
    let scale = CGFloat(gtk_widget_get_scale_factor(widget))
    let now = CGSize(width: Int(gtk_widget_get_width(widget)), height: Int(gtk_widget_get_height(widget)))
    guard let size = now.width > 0 && now.height > 0 ? now : expected else { return nil }
    return .fill(FutureImage.PixelSize(size, scale: scale))
  }

  /// Draws the image that `withConfiguration(_:)` returns for this view's traits, as UIKit's image view does. It is a placeholder's
  /// variant, or has the pixels that a future carries.
  private func show() {
    let traits = UITraitCollection(displayScale: CGFloat(gtk_widget_get_scale_factor(widget)))
    drawn = image?.withConfiguration(UIImage.Configuration(traitCollection: traits)).cgImage
    let texture = drawn.flatMap(Texture.init)
    withExtendedLifetime(texture) { gtk_picture_set_paintable(widget.object, texture?.paintable) }
  }
}
