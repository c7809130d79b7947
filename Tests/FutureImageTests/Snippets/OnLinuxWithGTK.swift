import FutureImage

// The other code blocks of the page are in the demo, where `SnippetTests` finds them.

enum OnLinuxWithGTKSnippets {
  /// A widget of an imaginary toolkit.
  @MainActor final class ToolkitWidget {
    let width: Int = 80
    let height: Int = 60
    let scaleFactor: Int = 2
    func paint(_ pixels: CGImage?) {}
  }

  @MainActor final class ToolkitView: ImageDisplaying {
    let widget: ToolkitWidget

    init(_ widget: ToolkitWidget) { self.widget = widget }

    var image: UIImage? {
      didSet { if image !== oldValue { widget.paint(image?.cgImage) } }
    }

    var pixelFitting: FutureImage.Fitting? {
      guard widget.width > 0, widget.height > 0 else { return nil }
      return .fill(width: widget.width * widget.scaleFactor, height: widget.height * widget.scaleFactor)
    }
  }

  @MainActor static func show(_ item: Item, in pictureView: ToolkitView) {
    pictureView.futureImage = item.photo
  }
}
