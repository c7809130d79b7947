import Foundation
import FutureImage

enum MigratingFromKingfisherSnippets {
  enum ProductPhoto: FutureImage.Recipe {
    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? { "product" }

    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      .url(try fields.url(for: text), key: fields.value("id", as: Int.self).map { "product-\($0)" })
    }
  }

  struct Product: Decodable {
    let id: Int
    let name: String
    @FutureImage.From<ProductPhoto, FutureImage> var photo: FutureImage
  }

  @MainActor final class ProductCell {
    let photoView = UIImageView()
  }

  @MainActor final class ProductList {
    func show(_ product: Product, in cell: ProductCell) {
      cell.photoView.display(product.photo, .init(transition: .fade(seconds: 0.2), indicator: .activity))
    }
  }

  struct Session {
    func token() async throws -> String { "" }
  }

  static func launch(_ session: Session) throws {
    var configuration = FutureImage.Loader.Configuration()
    configuration.retry = FutureImage.RetryPolicy(attempts: 4)
    configuration.prepareRequest = { request in
      guard request.url.host() == "images.example.com" else { return request }
      var request = request
      request.headers["Authorization"] = "Bearer \(try await session.token())"
      return request
    }
    try FutureImage.Loader.configureShared(configuration)
  }

  struct Settings {
    private func showSize() async {}

    func clear() async throws {
      FutureImage.Loader.shared.removeCachedPixels()
      try await FutureImage.DiskCache.standard.removeAll()
      await showSize()
    }
  }
}
