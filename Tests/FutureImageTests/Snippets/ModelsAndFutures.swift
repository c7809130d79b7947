import Foundation
import FutureImage
import Testing

private let library = URL(string: "https://library.test/covers/")

enum ModelsAndFuturesSnippets {
  enum CoverPhoto: FutureImage.Recipe {
    static var cachePolicy: FutureImage.CachePolicy? { .automatic }
    static var transform: FutureImage.Transform? { .roundedCorners(8) }

    static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
      guard let url = URL(string: text, relativeTo: library) else { throw FutureImage.Failure(.refused("it is no path")) }
      return .url(url, key: siblings.value("id", as: Int.self).map { "cover-\($0)" })
    }
  }

  struct Book: Decodable {
    let id: Int
    @FutureImage.From<CoverPhoto, FutureImage?> var cover: FutureImage?
  }

  final class Author {
    let portraitURL: URL
    private(set) lazy var portrait = FutureImage(at: portraitURL, placeholder: "person", size: CGSize(width: 60, height: 60))

    init(portraitURL: URL) { self.portraitURL = portraitURL }
  }

  struct Place: Decodable {
    let photoURL: URL
    let blurHash: String?
    let width: Double
    let height: Double
  }

  func photo(of place: Place) -> FutureImage {
    FutureImage(
      at: place.photoURL, placeholder: place.blurHash.map { .blurHash($0) }, size: CGSize(width: place.width, height: place.height))
  }

  static func decode(_ json: Data, _ loader: FutureImage.Loader) throws -> Book {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = loader
    let book = try decoder.decode(Book.self, from: json)
    return book
  }

  static func signed(_ signedURL: URL, _ id: Int) -> FutureImage {
    let future = FutureImage(.url(signedURL, key: "print-\(id)"))
    return future
  }

  private static func signedURL(of key: String) async throws -> URL { Shop.url("\(key)-new") }

  enum PrintPhoto: FutureImage.Recipe {
    static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
      guard let url = URL(string: text) else { throw FutureImage.Failure(.refused("it is no URL")) }
      return .url(url, key: siblings.value("id", as: Int.self).map { "print-\($0)" })
    }

    static func renew(_ url: URL, key: String) async throws -> URL? {
      try await signedURL(of: key)
    }
  }

  struct Print: Decodable {
    let id: Int
    @FutureImage.From<PrintPhoto, FutureImage> var photo: FutureImage
  }

  private static func token() async throws -> String { "" }
  private static func drawing(of id: Int) async throws -> Data { Data() }

  static func sources(_ url: URL, _ folder: URL, _ camera: UIImage, _ id: Int) -> [FutureImage.Source] {
    let sources: [FutureImage.Source] = [
      .url(url, key: "scan-\(id)") { ["Authorization": "Bearer \(try await token())"] },
      .file(folder.appendingPathComponent("cover.jpg")),
      .data(key: "code-\(id)") { try await drawing(of: id) },
      .image(camera, key: "draft")
    ]
    return sources
  }

  struct Account {
    let avatarURL: URL
  }

  static func take(_ photo: UIImage, for user: Account, _ loader: FutureImage.Loader) async throws {
    try await loader.set(photo, forKey: FutureImage.Source.url(user.avatarURL).key)
  }

  @MainActor final class Bar {
    var progress = 0.0
  }

  @MainActor static func follow(_ future: FutureImage, _ bar: Bar) async {
    for await phase in future.phases(fitting: .full) {
      switch phase {
      case .waiting, .fetched: break
      case .loading(let fraction): bar.progress = fraction ?? 0
      case .ready(let image): print(image.size)
      case .failed(let failure): print(failure.localizedDescription)
      }
    }
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ModelsAndFuturesPage {
  @Test func `the recipe makes the source from a path and the id`() throws {
    let shop = Shop()
    let book = try ModelsAndFuturesSnippets.decode(Data(#"{ "id": 3, "cover": "3.jpg" }"#.utf8), shop.loader)
    #expect(book.cover?.key == "cover-3")
  }

  @Test(.timeLimit(.minutes(5))) func `the recipe gives a new URL in place of one that has expired`() async throws {
    let shop = Shop()
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = shop.loader
    let json = Data(#"{ "id": 3, "photo": "https://shop.test/old.jpg" }"#.utf8)
    let photo = try decoder.decode(ModelsAndFuturesSnippets.Print.self, from: json).photo
    await shop.held.waitForHeld()
    shop.held.answer(nil, FutureImage.Response(status: 403))
    await shop.held.waitForRequests(2)
    #expect(shop.held.requests.last?.url == Shop.url("print-3-new"))
    shop.held.resolve(with: Picture.jpeg())
    _ = try await photo.value
  }
}
