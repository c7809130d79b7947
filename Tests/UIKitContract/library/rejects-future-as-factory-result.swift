// expect: cannot convert return expression
func f(_ images: [UIImage]) -> FutureImage? { FutureImage.animatedImage(with: images, duration: 1) }
