// expect: main actor-isolated
import FutureImage
@MainActor func f(_ view: UIView) -> FutureImage.Transform { .custom("fade") { pixels in view.alpha > 0 ? pixels : pixels } }
