// expect: cannot assign value of type 'NSImage' to type 'FutureImage'
import FutureImage
@MainActor func bound(_ image: NSImage, _ view: NSImageView) { view.futureImage = image }
