// expect: 'lazy' cannot be used on a computed property
import FutureImage
import Observation
@Observable private final class Editor {
  let url: URL
  lazy var photo = FutureImage(at: url)
  init(url: URL) { self.url = url }
}
