// expect: cannot assign value of type 'UIImage'
@MainActor func f(_ view: UIImageView, _ image: UIImage) { view.futureImage = image }
