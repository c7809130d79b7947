import Foundation
import FutureImage

enum MigratingFromSDWebImageSnippets {
  enum DishPhoto: FutureImage.Recipe {
    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "plate" }
  }

  struct Recipe: Decodable {
    let name: String
    @FutureImage.From<DishPhoto, FutureImage> var dish: FutureImage
  }

  @MainActor final class RecipeCell {
    let dishView = UIImageView()
  }

  @MainActor final class RecipeScreen {
    func show(_ recipe: Recipe, in cell: RecipeCell) {
      cell.dishView.display(recipe.dish, .init(transition: .fade()))
    }

    private func share(_ picture: UIImage) {}
    private func show(_ error: any Error) {}

    func share(_ recipe: Recipe) async {
      do {
        share(try await recipe.dish.value)
      } catch {
        show(error)
      }
    }
  }

  static func launch() throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.diskCache = FutureImage.DiskCache(maxBytes: 200 << 20, maxAge: .seconds(14 * 86_400))
    configuration.maxTransfers = 12
    configuration.headers = ["User-Agent": "Kitchen/2.0"]
    try FutureImage.Loader.configureShared(configuration)
  }
}
