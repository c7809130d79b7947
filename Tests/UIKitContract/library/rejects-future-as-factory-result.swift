// expect: cannot convert return expression
import FutureImage
func f(_ images: [UIImage]) -> FutureImage? { FutureImage.animatedImage(with: images, duration: 1) }
