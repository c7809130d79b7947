import CGtk
import Foundation

/// Applies the style sheet to the display.
@MainActor
func loadStyle() {
  guard let display = gdk_display_get_default(), let provider = gtk_css_provider_new() else { return }
  gtk_css_provider_load_from_path(provider, Bundle.module.bundleURL.appendingPathComponent("style.css").path)
  gtk_style_context_add_provider_for_display(display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
  g_object_unref(gpointer(provider))
}
