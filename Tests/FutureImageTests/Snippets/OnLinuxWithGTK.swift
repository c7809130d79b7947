import FutureImage

// The page's other files are the demo's, which `SnippetTests` looks for there.

enum OnLinuxWithGTKSnippets {
  /// Stands for a widget of some toolkit.
  @MainActor final class ToolkitWidget {
    let width: CGFloat = 80
    let height: CGFloat = 60
    let scaleFactor: CGFloat = 2
    func paint(_ pixels: CGImage?) {}
  }

  @MainActor final class ToolkitView: FutureImageBinding {
    let widget: ToolkitWidget

    init(_ widget: ToolkitWidget) { self.widget = widget }

    var image: UIImage? {
      didSet { if image !== oldValue { widget.paint(image?.cgImage) } }
    }

    var pixelFitting: FutureImage.Fitting? {
      guard widget.width > 0, widget.height > 0 else { return nil }
      return .fill(CGSize(width: widget.width * widget.scaleFactor, height: widget.height * widget.scaleFactor))
    }
  }

  @MainActor static func show(_ item: Item, in pictureView: ToolkitView) {
    pictureView.futureImage = item.photo
  }
}

// Parsed and not type-checked: the tests do not depend on GTK.
#if canImport(CGtk)
enum WindowSnippets {
  @MainActor func showWindow(of url: URL) -> Int32 {
    guard gtk_init_check() != 0 else {
      print("There is no display.")
      return 2
    }
    let picture = PictureView(expecting: CGSize(width: 640, height: 480))
    // A picture may still arrive while the window closes.
    g_object_ref_sink(gpointer(picture.widget))
    defer { g_object_unref(gpointer(picture.widget)) }
    let window = made(gtk_window_new())
    gtk_window_set_title(window.cast(), "A picture")
    gtk_window_set_default_size(window.cast(), 640, 480)
    gtk_window_set_child(window.cast(), picture.widget)
    on("destroy", of: window.object) { MainLoop.quit() }
    picture.futureImage = FutureImage(at: url)
    gtk_window_present(window.cast())
    // The window owns the widget, and nothing else owns the view.
    withExtendedLifetime(picture) { MainLoop.run() }
    return 0
  }

  @MainActor func main() {
    guard let url = URL(string: CommandLine.arguments.last ?? "") else { exit(2) }
    exit(showWindow(of: url))
  }
}
#endif
