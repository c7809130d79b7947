// expect: property wrapper cannot be applied to a computed property
import FutureImage
import Observation
@Observable private final class Editor {
  @FutureImage.FromURL var photo: FutureImage
  init(url: URL) { photo = FutureImage(at: url) }
}
