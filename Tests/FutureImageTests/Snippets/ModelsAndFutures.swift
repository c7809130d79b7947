import Foundation
import FutureImage
import Observation
import Testing

#if canImport(CoreData)
import CoreData
#endif

enum ModelsAndFuturesSnippets {
  enum CoverPhoto: FutureImage.Recipe {
    static var cachePolicy: FutureImage.CachePolicy? { .automatic }
    static var transform: FutureImage.Transform? { .roundedCorners(8) }
    static var baseURL: URL? { URL(string: "https://library.example/covers/") }

    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      .url(try fields.url(for: text), key: fields.value("id", as: Int.self).map { "cover-\($0)" })
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

  struct Listing: nonisolated Codable {
    let id: Int
    @FutureImage.FromURL var photo: FutureImage
  }

  @concurrent func listing(from json: Data) async throws -> Listing {
    try JSONDecoder().decode(Listing.self, from: json)
  }

  nonisolated struct Article: Codable, Hashable, Identifiable {
    let id: Int
    private let storedPhoto: FutureImage.FromURL<FutureImage>

    var photo: FutureImage { storedPhoto.wrappedValue }

    private enum CodingKeys: String, CodingKey {
      case id, storedPhoto = "photo"
    }
  }

  @Observable final class Editor {
    let author: URL
    @ObservationIgnored @FutureImage.FromURL var photo: FutureImage
    @ObservationIgnored private(set) lazy var portrait = FutureImage(at: author)
    var replacement: FutureImage?

    init(author: URL, photo: FutureImage) {
      self.author = author
      self.photo = photo
    }
  }

  #if canImport(CoreData)
  // On Linux, which has no Core Data, only the type check in `Tests/UIKitContract` covers this class.
  final class StoredPrint: NSManagedObject {
    @NSManaged var photoURL: URL
    private var made: FutureImage?

    var photo: FutureImage {
      if let made, made.url == photoURL { return made }
      let photo = FutureImage(at: photoURL)
      made = photo
      return photo
    }
  }
  #endif

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

  struct Row {
    let photo: FutureImage
  }

  struct LazyRow {
    @FutureImage.FromURL var photo: FutureImage

    init(photo: FutureImage.FromURL<FutureImage>) { _photo = photo }
  }

  static func eager(_ urls: [URL]) -> [Row] {
    let rows = urls.map { Row(photo: FutureImage(at: $0)) }
    return rows
  }

  static func lazily(_ urls: [URL]) -> [LazyRow] {
    let rows = urls.map { LazyRow(photo: FutureImage.FromURL("\($0)")) }
    return rows
  }

  static func setBase(_ decoder: JSONDecoder) {
    decoder.userInfo[FutureImage.baseURLKey] = URL(string: "https://shop.example/feed.json")
  }

  enum Portrait: FutureImage.Recipe {
    static var isStrict: Bool { true }

    static func hasImage(for text: String, in fields: FutureImage.SiblingFields) -> Bool {
      !text.isEmpty && !text.hasSuffix("/nobody.png")
    }
  }

  enum FeedPhoto: FutureImage.Recipe {
    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { fields.size() }

    static func placeholder(in fields: FutureImage.SiblingFields) -> FutureImage.Placeholder? {
      fields.value("blurHash", as: String.self).map { .blurHash($0) }
    }

    static func alternativeText(in fields: FutureImage.SiblingFields) -> String? {
      fields.value("caption", as: String.self)
    }
  }

  struct Post: Decodable {
    let width: Double
    let height: Double
    let blurHash: String
    let caption: String
    @FutureImage.From<FeedPhoto, FutureImage> var photo: FutureImage
  }

  #if canImport(UIKit) || canImport(UIKitStandIn)
  @MainActor static func show(_ post: Post, in imageView: UIImageView, of cell: UIView) {
    imageView.futureImage = post.photo
    cell.accessibilityLabel = post.photo.alternativeText
  }
  #endif

  enum MapPhoto: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      let map = FutureImage.Source.url(try fields.url(for: text))
      guard let dark = fields.value("darkMap", as: String.self) else { return map }
      return map.inDarkMode(use: .url(try fields.url(for: dark)))
    }
  }

  @MainActor static func show(_ map: URL, _ darkMap: URL, in imageView: UIImageView) {
    imageView.futureImage = FutureImage(.url(map).inDarkMode(use: .url(darkMap)))
  }

  struct Draft: Codable {
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  static func draft(_ sample: UIImage, _ url: URL) -> Draft {
    var item = Draft(title: "Dunes", photo: FutureImage(.image(sample, key: "sample")))
    item.photo = FutureImage(at: url)
    return item
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

  private static func signedURL(of key: String) async throws -> URL { LoaderFixture.url("\(key)-new") }

  enum PrintPhoto: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      .url(try fields.url(for: text), key: fields.value("id", as: Int.self).map { "print-\($0)" })
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
    let avatar: FutureImage
  }

  private static func upload(_ photo: UIImage) async throws {}

  static func take(_ photo: UIImage, for user: Account, _ loader: FutureImage.Loader) async throws {
    let undo = try await loader.set(photo, forKey: user.avatar.key)
    do {
      try await upload(photo)
    } catch {
      await undo()
      throw error
    }
  }

  @MainActor final class Bar {
    var progress: Float = 0
  }

  @MainActor static func follow(_ future: FutureImage, _ bar: Bar) async {
    for await phase in future.phases(fitting: .full) {
      switch phase {
      case .waiting, .fetched: break
      case .loading(let fraction): bar.progress = Float(fraction ?? 0)
      case .ready(let image): print(image.size)
      case .failed(let failure): print(failure.localizedDescription)
      }
    }
  }

  struct Catalog {
    struct Product {
      let photo: FutureImage
    }

    let products: [Product]

    private func show(_ failures: [FutureImage.Failure]) {}

    func refresh() async {
      let failures = await products.reload(\.photo)
      show(failures)
    }
  }
}

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ModelsAndFuturesPage {
  @Test func `a recipe reads the placeholder, the size, and the alternative text from the fields next to the URL`() throws {
    let json = #"{"photo": "data:,", "width": 40, "height": 30, "blurHash": "LEHV6nWB2yk8pyo0adR*.7kCMdnj", "caption": "A harbor"}"#
    let photo = try JSONDecoder().decode(ModelsAndFuturesSnippets.Post.self, from: Data(json.utf8)).photo
    #expect(photo.size == CGSize(width: 40, height: 30) && photo.alternativeText == "A harbor")
    #expect(photo.cgImage != nil)
  }

  @Test func `a row that stores a wrapper returns the same future each time its photo is read`() {
    let rows = ModelsAndFuturesSnippets.lazily([URL(filePath: "/nowhere.jpg")])
    #expect(rows[0].photo === rows[0].photo)
  }

  @Test func `a recipe can make the key of an image from the field "id" of the model`() throws {
    let fixture = LoaderFixture()
    let book = try ModelsAndFuturesSnippets.decode(Data(#"{ "id": 3, "cover": "3.jpg" }"#.utf8), fixture.loader)
    #expect(book.cover?.key == "cover-3")
  }

  @Test func `a nonisolated model with a stored wrapper is encoded to the JSON from which it was decoded`() throws {
    let json = Data(#"{"id":3,"photo":"data:,"}"#.utf8)
    let article = try JSONDecoder().decode(ModelsAndFuturesSnippets.Article.self, from: json)
    #expect(article.photo === article.photo && article.photo.url == URL(string: "data:,"))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(article) == json)
  }

  @Test(.timeLimit(.minutes(5))) func `after a response of 403, the loader requests the new URL that the recipe returns`() async throws {
    let fixture = LoaderFixture()
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    let json = Data(#"{ "id": 3, "photo": "https://shop.test/old.jpg" }"#.utf8)
    let photo = try decoder.decode(ModelsAndFuturesSnippets.Print.self, from: json).photo
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 403))
    await fixture.held.waitForRequests(2)
    #expect(fixture.held.requests.last?.url == LoaderFixture.url("print-3-new"))
    fixture.held.resolve(with: SampleImage.jpeg())
    _ = try await photo.value
  }
}
