import CGtk
import FutureImage

/// A GtkPicture in the part of UIImageView: give it an image, or a future. The picture fills the view; what does not fit is cut.
@MainActor
final class PictureView: ImageDisplaying {
  let widget: Widget

  /// What ``pixelFitting`` is made of until GTK has given the view room, in points; nil if nobody can tell.
  private let expected: CGSize?

  init(expecting size: CGSize? = nil) {
    expected = size
    widget = made(gtk_picture_new())
    // Pictures may come when no parent holds the widget any more, so the view owns it, too.
    g_object_ref_sink(gpointer(widget))
    gtk_picture_set_content_fit(widget.object, GTK_CONTENT_FIT_COVER)
  }

  // On the main actor, since GTK's objects are released on the main thread.
  isolated deinit { g_object_unref(gpointer(widget)) }

  /// What is on the screen of it: of an animated one, one picture after another.
  private(set) var drawn: CGImage?
  private var play: Play?

  var image: UIImage? {
    didSet { if image !== oldValue { show() } }
  }

  /// The pixels that the view has on the screen, or will have.
  var pixelFitting: FutureImage.Fitting? {
    let scale = CGFloat(gtk_widget_get_scale_factor(widget))
    let now = CGSize(width: Int(gtk_widget_get_width(widget)), height: Int(gtk_widget_get_height(widget)))
    guard let size = now.width > 0 && now.height > 0 ? now : expected else { return nil }
    return .fill(FutureImage.PixelSize(size, scale: scale))
  }

  /// Draws the copy that the image makes of itself for this view's traits, as an image view of UIKit does: a placeholder's variant, or
  /// the pixels that a future carries.
  private func show() {
    play = nil
    let traits = UITraitCollection(displayScale: CGFloat(gtk_widget_get_scale_factor(widget)))
    let resolved = image?.withConfiguration(UIImage.Configuration(traitCollection: traits))
    draw(resolved?.cgImage)
    guard let resolved, let play = Play(of: resolved) else { return }
    self.play = play
    // GTK knows stills only: each frame of its clock is asked whether it is time for another picture.
    onEachFrame(of: widget) { [weak self] now in
      guard let self, self.play === play else { return false }
      if let frame = play.frame(at: now) { draw(frame) }
      return true
    }
  }

  private func draw(_ image: CGImage?) {
    drawn = image
    let texture = image.flatMap(Texture.init)
    withExtendedLifetime(texture) { gtk_picture_set_paintable(widget.object, texture?.paintable) }
  }
}
