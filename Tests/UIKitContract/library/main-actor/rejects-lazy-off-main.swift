// expect: main actor-isolated property 'portrait' can not be referenced from a nonisolated context
import FutureImage
private final class Author {
  let url: URL
  lazy var portrait = FutureImage(at: url)
  init(url: URL) { self.url = url }
}
nonisolated private func key(_ author: Author) -> String? { author.portrait.key }
