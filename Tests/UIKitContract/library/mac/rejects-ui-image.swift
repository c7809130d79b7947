// expect: cannot find type 'UIImage' in scope
import FutureImage
func named(_ image: UIImage) {}
