import CGtk
import Foundation

/// Writes the content of the window to a PNG file. Call it only right after a frame was drawn, because a widget that must be drawn again
/// cannot be captured.
@MainActor
func capture(_ window: Widget, to file: URL) throws {
  struct Failed: LocalizedError {
    let file: URL
    var errorDescription: String? { "The window could not be drawn into \(file.path)." }
  }
  let paintable = gtk_widget_paintable_new(window)
  defer { g_object_unref(gpointer(paintable)) }
  let snapshot = gtk_snapshot_new()
  let width = gtk_widget_get_width(window)
  let height = gtk_widget_get_height(window)
  gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
  guard let node = gtk_snapshot_free_to_node(snapshot) else { throw Failed(file: file) }
  defer { gsk_render_node_unref(node) }
  let renderer = gtk_native_get_renderer(window.object)
  guard let texture = gsk_renderer_render_texture(renderer, node, nil) else { throw Failed(file: file) }
  defer { g_object_unref(gpointer(texture)) }
  guard gdk_texture_save_to_png(texture, file.path) != 0 else { throw Failed(file: file) }
}
