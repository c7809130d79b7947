import FutureImage

/// A cell from the storyboard, with an image view.
final class PhotoCell: UICollectionViewCell {
  @IBOutlet private(set) var imageView: UIImageView!
}
