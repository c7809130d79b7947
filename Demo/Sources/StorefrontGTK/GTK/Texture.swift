import CGtk
import FutureImage

/// A texture of GTK with the pixels of an image.
final class Texture {
  let paintable: OpaquePointer

  /// Creates a texture that reads the image's own pixels, without a copy. The pixels are RGBA8 and not premultiplied. GTK draws them in
  /// less time than it would take to premultiply them here.
  init?(_ image: CGImage) {
    // A CGImage is one allocation that never moves or changes until the image is freed. GTK's bytes retain the image until they are freed.
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
