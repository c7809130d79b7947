import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("An image with a custom key stays cached when its URL's signature changes", .tags(.threads), .timeLimit(.minutes(5)))
struct SignedURLTests {
  enum Signed: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      guard let url = URL(string: text) else { throw FutureImage.Failure(.refused("it is no URL")) }
      return .url(url, key: fields.value("id", as: Int.self).map { "product-\($0)" })
    }
  }

  struct Product: Decodable, Hashable {
    let id: Int
    @FutureImage.From<Signed, FutureImage> var photo: FutureImage
  }

  let fixture = LoaderFixture(disk: .temporary())

  func product(signature: String, id: Int = 7) throws -> Product {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(Product.self, from: Data(#"{"id": \#(id), "photo": "https://shop.test/a.jpg?signature=\#(signature)"}"#.utf8))
  }

  @Test func `if the id of a model is the key of its image, a view keeps the image when the signature of the URL changes`() async throws {
    let view = imageView(150)
    let first = try product(signature: "1")
    view.futureImage = first.photo
    await fixture.held.waitForRequests()
    fixture.held.resolve(with: SampleImage.jpeg(1200, 900))
    await fixture.loader.waitForIdle()
    let shown = view.image
    let second = try product(signature: "2")
    view.futureImage = second.photo
    #expect(view.image === shown)
    #expect(second.photo.key == "product-7")
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `models are equal if their images have the same keys, even if the signatures or the spellings of their URLs differ`() throws {
    let (first, second, other) = (try product(signature: "1"), try product(signature: "2"), try product(signature: "1", id: 8))
    #expect(first == second && first.hashValue == second.hashValue)
    #expect(first != other)
    struct Album: Decodable, Hashable {
      @FutureImage.FromURL var photos: [FutureImage]
      @FutureImage.FromURL var sizes: [String: FutureImage]
      @FutureImage.FromURL var cover: FutureImage?
    }
    func album(_ json: String) throws -> Album { try JSONDecoder().decode(Album.self, from: Data(json.utf8)) }
    let album1 = try album(#"{"photos": ["https://a.b/c", ""], "sizes": {"s": "https://a.b/s"}, "cover": ""}"#)
    let album2 = try album(#"{"photos": ["HTTPS://A.b/%63"], "sizes": {"s": "https://a.b/s", "m": null}}"#)
    #expect(album1 == album2 && album1.hashValue == album2.hashValue)
    #expect(try album1 != album(#"{"photos": ["https://a.b/d"], "sizes": {"s": "https://a.b/s"}}"#))
    #expect(try album1 != album(#"{"photos": ["https://a.b/c"], "sizes": {"m": "https://a.b/s"}}"#))
    #expect(try album1 != album(#"{"photos": ["https://a.b/c"], "sizes": {"s": "https://a.b/s"}, "cover": "https://a.b/c"}"#))
  }

  @Test func `models with different ids request different images`() async throws {
    let (one, other) = (try product(signature: "1"), try product(signature: "1", id: 8))
    _ = (one.photo, other.photo)
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.count == 2)
  }

  @Test func `headers that a closure creates for each request are sent`() async {
    let source = FutureImage.Source.url(LoaderFixture.url(), key: "a") { ["Authorization": "Bearer fresh"] }
    let future = FutureImage(source, loader: fixture.loader)
    await fixture.held.waitForRequests()
    #expect(fixture.held.requests[0].headers["Authorization"] == "Bearer fresh")
    #expect(future.key == "a")
  }
}
