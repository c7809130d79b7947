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
}
