// expect: main actor-isolated property 'image' can not be mutated from a Sendable closure
import PhotosUI
final class Album: UIViewController, PHPickerViewControllerDelegate {
  private let imageView = UIImageView()
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    results.first?.itemProvider.loadObject(ofClass: UIImage.self) { object, error in
      self.imageView.image = object as? UIImage
    }
  }
}
