import FutureImage

enum OnLinuxWithGTKSnippets {
  /// Stands for a GtkPicture.
  @MainActor final class Widget {
    let width: CGFloat = 80
    let height: CGFloat = 60
    let scaleFactor: CGFloat = 2
    func paint(_ pixels: CGImage?) {}
  }

  @MainActor final class PictureView: FutureImageBinding {
    let widget: Widget

    init(_ widget: Widget) { self.widget = widget }

    var image: UIImage? {
      didSet { if image !== oldValue { widget.paint(image?.cgImage) } }
    }

    var pixelFitting: FutureImage.Fitting? {
      guard widget.width > 0, widget.height > 0 else { return nil }
      return .fill(CGSize(width: widget.width * widget.scaleFactor, height: widget.height * widget.scaleFactor))
    }
  }

  @MainActor static func show(_ item: Item, in pictureView: PictureView) {
    pictureView.futureImage = item.photo
  }

  static func fromTheCommandLine(_ url: URL) async throws {
    let picture = try await FutureImage(at: url).value
    print(picture.size)
  }
}
