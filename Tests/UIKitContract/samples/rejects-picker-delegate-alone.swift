// expect: cannot assign value of type 'Camera' to type '(any UIImagePickerControllerDelegate & UINavigationControllerDelegate)?'
import UIKit
final class Camera: UIViewController, UIImagePickerControllerDelegate {
  func shoot() {
    let picker = UIImagePickerController()
    picker.delegate = self
    present(picker, animated: true)
  }
}
