// expect: non-class type
import FutureImage
struct Row: ImageDisplaying { var image: UIImage? }
