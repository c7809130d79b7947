// expect: non-class type
import FutureImage
struct Row: FutureImageBinding { var image: UIImage? }
