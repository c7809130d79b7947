import FutureImage

/// An image view whose setter only stores: the stand-in's own resolves each image for the view's traits, as UIKit's does whoever sets it,
/// and that is not the library's time.
@MainActor class BareImageView: UIImageView {
  private var stored: UIImage?

  override var image: UIImage? {
    get { stored }
    set { stored = newValue }
  }
}
