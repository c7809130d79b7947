import CGtk
import FutureImage

/// Pixels in GTK's hands.
final class Texture {
  let paintable: OpaquePointer

  /// Copies nothing: GTK reads the image's own pixels. They stay straight RGBA8, which GTK draws faster than it would be to premultiply
  /// them here.
  init?(_ image: CGImage) {
    // A CGImage is one allocation that never moves or changes until the image is freed, and GTK's bytes hold the image until they go.
    let bytes = image.withRGBA { pixels in
      g_bytes_new_with_free_func(pixels.baseAddress, gsize(pixels.count), releaseObject, Unmanaged.passRetained(image).toOpaque())
    }
    defer { g_bytes_unref(bytes) }
    let width = gint(image.width)
    guard let texture = gdk_memory_texture_new(width, gint(image.height), GDK_MEMORY_R8G8B8A8, bytes, gsize(width * 4)) else { return nil }
    paintable = texture
  }

  deinit { g_object_unref(gpointer(paintable)) }
}
