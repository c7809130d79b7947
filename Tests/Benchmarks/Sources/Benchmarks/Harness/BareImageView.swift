import FutureImage

/// An image view whose setter only stores the image. The stand-in's own setter resolves each image for the view's traits, as UIKit's does
/// for every caller, and that time is not the library's.
@MainActor class BareImageView: UIImageView {
  private var stored: UIImage?

  override var image: UIImage? {
    get { stored }
    set { stored = newValue }
  }
}
