// A sheet that shares an image.
import UIKit

final class PhotoController: UIViewController {
  func share(_ picture: UIImage, from button: UIView) {
    let sheet = UIActivityViewController(activityItems: [picture], applicationActivities: nil)
    sheet.popoverPresentationController?.sourceView = button
    present(sheet, animated: true)
  }
}
