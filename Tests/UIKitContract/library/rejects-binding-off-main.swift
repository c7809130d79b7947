// expect: main actor-isolated
import FutureImage
func f(_ view: UIImageView, _ future: FutureImage) { view.futureImage = future }
