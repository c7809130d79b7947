import FutureImage

enum LandingSnippets {
  struct Item: Decodable {
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  @MainActor final class Cell {
    let imageView = UIImageView()
  }

  @MainActor static func show(_ item: Item, in cell: Cell) {
    cell.imageView.futureImage = item.photo
  }
}
