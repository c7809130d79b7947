// expect: stored property '$__lazy_storage_$_portrait' of 'Sendable'-conforming class 'Author' is mutable
import FutureImage
nonisolated private final class Author: Sendable {
  let url: URL
  lazy var portrait = FutureImage(at: url)
  init(url: URL) { self.url = url }
}
