import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@MainActor @Suite("Models created by code", .tags(.threads), .timeLimit(.minutes(5))) struct HandMadeModelTests {
  struct Item: Codable, Hashable, Sendable {
    let id: Int
    @FutureImage.FromURL var photo: FutureImage
    @FutureImage.FromURL var cover: FutureImage?
    @FutureImage.FromURL var details: [FutureImage]
  }

  /// A recipe for drafts, which are files. The key of a draft's image names the file.
  enum Drafts: FutureImage.Recipe {
    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      text.hasPrefix("draft-") ? .file(URL(fileURLWithPath: "/drafts/\(text).png")) : .url(try fields.url(for: text))
    }
  }

  let fixture = LoaderFixture()

  func item(_ id: Int = 1) -> Item {
    Item(id: id, photo: fixture.future("a"), cover: nil, details: [fixture.future("b"), fixture.future("c")])
  }

  func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func `a model can be created with futures`() async throws {
    let item = item()
    #expect(item.photo === item.photo && item.photo.url == LoaderFixture.url("a"))
    #expect(item.cover == nil && item.details.map(\.url) == [LoaderFixture.url("b"), LoaderFixture.url("c")])
    #expect(item == self.item() && item.hashValue == self.item().hashValue && item != self.item(2))
  }

  @Test func `setting a property changes the model, but not an earlier copy of the model`() {
    var item = item()
    let (copy, former) = (item, item.photo)
    let new = fixture.future("n")
    item.photo = new
    item.cover = fixture.future("d")
    item.details.removeLast()
    item.details.append(fixture.future("e"))
    #expect(item.photo === new && copy.photo === former)
    #expect(item != copy && copy.cover == nil && copy.details.count == 2)
    #expect(item.details.map(\.url) == [LoaderFixture.url("b"), LoaderFixture.url("e")])
    item.cover = nil
    #expect(item.cover == nil)
  }

  @Test func `a decoded property can be set`() throws {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    var item = try decoder.decode(Item.self, from: Data(#"{"id": 1, "photo": "https://shop.test/a.jpg", "details": []}"#.utf8))
    item.photo = fixture.future("n")
    #expect(item.photo.url == LoaderFixture.url("n"))
    #expect(try encoded(item) == #"{"details":[],"id":1,"photo":"https://shop.test/n.jpg"}"#)
  }

  @Test func `a model encodes the URLs of its futures, and decoding returns an equal model unless a key is custom`() throws {
    var item = item()
    item.cover = FutureImage(.url(LoaderFixture.url("d"), headers: ["Accept": "image/*"], key: "cover-7"), loader: fixture.loader)
    let json = #"""
      {"cover":"https://shop.test/d.jpg","details":["https://shop.test/b.jpg","https://shop.test/c.jpg"],"id":1,"photo":"https://shop.test/a.jpg"}
      """#
    #expect(try encoded(item) == json)
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    var decoded = try decoder.decode(Item.self, from: Data(json.utf8))
    // The JSON does not contain the custom key of the cover.
    #expect(decoded != item)
    (decoded.cover, item.cover) = (nil, nil)
    #expect(decoded == item)
  }

  @Test func `a future of an image source gets its image without a request, and is encoded as its key`() async throws {
    let photo = FutureImage(.image(SampleImage.image(40, 30), key: "draft-7"), loader: fixture.loader)
    let item = FutureImage.From<Drafts, FutureImage>(wrappedValue: photo)
    #expect(try await item.wrappedValue.value.cgImage?.width == 40)
    #expect(item.wrappedValue.url == nil && fixture.held.requests.isEmpty)
    #expect(try encoded([item]) == #"["draft-7"]"#)
    // From the key, the recipe makes the URL of the draft's file.
    let decoded = try JSONDecoder().decode([FutureImage.From<Drafts, FutureImage?>].self, from: Data(#"["draft-7"]"#.utf8))
    #expect(decoded[0].wrappedValue?.url?.absoluteString == "file:///drafts/draft-7.png")
  }

  @Test func `a future without a source encodes as null`() throws {
    #expect(try encoded([FutureImage.FromURL(wrappedValue: FutureImage())]) == "[null]")
  }

  @Test func `if the app assigns a carrier from a view to a property, the property is set to the carrier's future`() {
    let view = imageView(100)
    let future = fixture.future("a")
    view.display(future, .init(placeholder: SampleImage.image(4, 3)))
    // The view shows a carrier, which is a private future with the pixels of the placeholder that was given for this view.
    let carrier = view.image as? FutureImage
    #expect(carrier !== future)
    var item = item()
    if let carrier { item.photo = carrier }
    #expect(item.photo === future)
  }

  @Test func `a property that is created from texts has futures with the recipe's base URL and priority`() async throws {
    enum Round: FutureImage.Recipe {
      static var baseURL: URL? { URL(string: "https://shop.test/") }
      static var priority: FutureImage.Priority { .high }
    }
    // An empty text names no image, so it makes no future.
    let photos = FutureImage.From<Round, [FutureImage]>(["a.jpg", "", "b.jpg"], loader: fixture.loader).wrappedValue
    #expect(photos.map(\.url) == [LoaderFixture.url("a"), LoaderFixture.url("b")])
    #expect(photos.allSatisfy { $0.descriptor?.priority == .high })
    #expect(FutureImage.From<Round, FutureImage?>(nil).wrappedValue == nil)
    // The futures are elements of an array, which fetch nothing before they are used.
    await fixture.loader.waitForIdle()
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `the decoder's loader takes precedence over the recipe's loader`() throws {
    enum Own: FutureImage.Recipe {
      static let own = FutureImage.Loader()
      static var loader: FutureImage.Loader? { own }
    }
    let decoder = JSONDecoder()
    let json = Data(#"["data:,"]"#.utf8)
    #expect(try decoder.decode(FutureImage.From<Own, [FutureImage]>.self, from: json).wrappedValue[0].descriptor?.loader === Own.own)
    #expect(FutureImage.From<Own, FutureImage>("data:,").wrappedValue.descriptor?.loader === Own.own)
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    #expect(try decoder.decode(FutureImage.From<Own, [FutureImage]>.self, from: json).wrappedValue[0].descriptor?.loader === fixture.loader)
  }

  @Test func `the URL of a future contains no credentials, and is nil if the source is a closure`() {
    let url = URL(string: "https://ann:secret@shop.test/a.jpg") ?? LoaderFixture.url()
    #expect(FutureImage(at: url, loader: fixture.loader).url == LoaderFixture.url("a"))
    #expect(FutureImage(.data(key: "a") { Data() }, loader: fixture.loader).url == nil)
    #expect(FutureImage().url == nil)
  }
}
