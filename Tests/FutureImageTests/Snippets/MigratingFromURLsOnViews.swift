import FutureImage

enum MigratingSnippets {
  struct Person: Decodable {
    let name: String
    @FutureImage.FromURL var avatar: FutureImage?
  }

  @MainActor final class Cell {
    let avatarView = UIImageView()
  }

  @MainActor static func show(_ person: Person, in cell: Cell) {
    cell.avatarView.futureImage = person.avatar
  }

  final class PersonRow {
    let picture: FutureImage
    init(url: URL) { picture = FutureImage(at: url, placeholder: "person") }
  }

  // What the last column of the table calls.

  @MainActor static func views(_ view: UIImageView, _ item: Item, _ sketch: UIImage) async throws -> UIImage {
    view.futureImage = item.photo
    view.setFutureImage(item.photo, .init(placeholder: sketch))
    FutureImage.Loader.shared.emptyPixelPool()
    return try await item.photo.value
  }

  static func ahead(_ items: [Item]) -> FutureImage.Prefetch {
    items.prefetch(\.photo)
  }

  static func values(_ feeds: FutureImage.Cache<String>, _ url: URL) async throws -> (UIImage, String) {
    (try await FutureImage(at: url).value, try await feeds.value(from: url))
  }
}
