import FutureImage

/// An image view whose setter only stores the image. The stand-in's own setter resolves each image for the view's traits, as UIKit's setter
/// does. Resolving takes the same time whichever code sets the image, so the benchmarks do not measure it.
@MainActor class BareImageView: UIImageView {
  private var stored: UIImage?

  override var image: UIImage? {
    get { stored }
    set { stored = newValue }
  }
}
