// expect: main actor-isolated
import FutureImage
func boundOffMain(_ photo: FutureImage, _ view: NSImageView) { view.futureImage = photo }
