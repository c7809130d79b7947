// expect: cannot assign value of type 'UIImage'
import FutureImage
@MainActor func f(_ view: UIImageView, _ image: UIImage) { view.futureImage = image }
