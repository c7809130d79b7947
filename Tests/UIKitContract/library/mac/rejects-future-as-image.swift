// expect: cannot assign value of type 'FutureImage' to type 'NSImage'
import FutureImage
@MainActor func assigned(_ photo: FutureImage, _ view: NSImageView) { view.image = photo }
