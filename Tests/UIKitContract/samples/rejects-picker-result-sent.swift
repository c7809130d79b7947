// expect: capture of 'results' with non-Sendable type '[PHPickerResult]' in a '@Sendable' closure
// stage: SIL
import PhotosUI
final class Album: UIViewController, PHPickerViewControllerDelegate {
  func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
    DispatchQueue.global().async { for result in results { print(result.itemProvider) } }
  }
}
