import CGtk
import FutureImage

@MainActor func showWindow(of url: URL) -> Int32 {
  guard gtk_init_check() != 0 else {
    print("There is no display.")
    return 2
  }
  let picture = PictureView(expecting: CGSize(width: 640, height: 480))
  let window = made(gtk_window_new())
  gtk_window_set_title(window.cast(), "An image")
  gtk_window_set_default_size(window.cast(), 640, 480)
  gtk_window_set_child(window.cast(), picture.widget)
  on("destroy", of: window.object) { MainLoop.quit() }
  picture.futureImage = FutureImage(at: url)
  gtk_window_present(window.cast())
  // The window owns the widget, but not the view. This call retains the view.
  withExtendedLifetime(picture) { MainLoop.run() }
  return 0
}

guard let url = URL(string: CommandLine.arguments.last ?? "") else { exit(2) }
exit(showWindow(of: url))
