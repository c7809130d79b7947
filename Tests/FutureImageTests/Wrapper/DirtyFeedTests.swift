import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite("Feeds with unusable values", .tags(.threads), .timeLimit(.minutes(5))) struct DirtyFeedTests {
  enum Strict: FutureImage.Recipe {
    static var isStrict: Bool { true }
  }

  enum Shelf: FutureImage.Recipe {
    static var baseURL: URL? { URL(string: "http://shop.test/shelf/") }
  }

  /// A recipe that recognizes how the server marks a missing photo.
  enum Portrait: FutureImage.Recipe {
    static func hasImage(for text: String, in fields: FutureImage.SiblingFields) -> Bool {
      text != "https://shop.test/nobody.png" && fields.value("hasLeft", as: Bool.self) != true
    }
  }

  struct Photo: Codable, Hashable, Sendable {
    @FutureImage.FromURL var photo: FutureImage?
  }

  struct Required: Codable, Hashable, Sendable {
    @FutureImage.FromURL var photo: FutureImage
  }

  struct Album: Codable, Hashable, Sendable {
    @FutureImage.FromURL var photos: [FutureImage]
  }

  struct Feed<Item: Decodable>: Decodable {
    let items: [Item]
  }

  let fixture: LoaderFixture
  private let faults = Lock<[FutureImage.Failure]>([])

  init() {
    fixture = LoaderFixture { [faults] configuration in
      configuration.onEvent = { _, event in
        if case .unusable(let failure) = event { faults.withLock { $0.append(failure) } }
      }
    }
  }

  var reported: [FutureImage.Failure] { faults.withLock { $0 } }

  func decode<Model: Decodable>(_ type: Model.Type, _ json: String, base: String? = nil) throws -> Model {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    if let base { decoder.userInfo[FutureImage.baseURLKey] = URL(string: base) }
    return try decoder.decode(type, from: Data(json.utf8))
  }

  @Test(arguments: [#""""#, #"" ""#, "null", "false", "true"])
  func `a value that stands for a missing image becomes nil or is omitted from an array, and is not reported`(_ json: String) throws {
    #expect(try decode(Photo.self, #"{"photo": \#(json)}"#).photo == nil)
    #expect(try decode(Album.self, #"{"photos": [\#(json), "https://shop.test/b.jpg"]}"#).photos.map(\.url) == [LoaderFixture.url("b")])
    #expect(reported.isEmpty)
  }

  @Test(arguments: [
    (#""/x.jpg""#, "relative"), (#""x.jpg""#, "relative"), (#""ftp://shop.test/x.jpg""#, "http"), (#""file:///etc/passwd""#, "http"),
    (#""javascript:alert(1)""#, "http"), ("7", "not a URL"), ("1.5", "not a URL"), (#""https://""#, "not a URL")
  ])
  func `an unusable value becomes nil or is omitted from an array, and is reported`(_ json: String, _ why: String) throws {
    #expect(try decode(Photo.self, #"{"photo": \#(json)}"#).photo == nil)
    #expect(try decode(Album.self, #"{"photos": ["https://shop.test/b.jpg", \#(json)]}"#).photos.map(\.url) == [LoaderFixture.url("b")])
    let text = json.replacing("\"", with: "")
    #expect(reported.count == 2)
    #expect(reported.allSatisfy { $0.description.contains(text) && $0.description.contains(why) })
    #expect(reported.last?.key.hasSuffix("at photos[1]") == true)
  }

  @Test(arguments: ["\"\"", "null", "false", "7", "\"/x.jpg\"", "\"file:///etc/passwd\"", "\"ftp://shop.test/a.jpg\""])
  func `a future that is decoded from an unusable value fails permanently and states the reason`(_ json: String) async throws {
    let item = try decode(Required.self, #"{"photo": \#(json)}"#)
    let failure = await #expect(throws: FutureImage.Failure.self) { try await item.photo.value }
    #expect(failure?.isTransient == false)
    #expect(failure?.description.contains("at photo was not requested: ") == true, "\(failure.map { "\($0)" } ?? "")")
    item.photo.reload()
    await #expect(throws: FutureImage.Failure.self) { try await item.photo.value }
    #expect(fixture.held.requests.isEmpty)
    #expect(reported.count == 1)
  }

  @Test func `a future that is decoded from an unusable text has a key that no app can choose`() throws {
    let key = try decode(Required.self, #"{"photo": "/x.jpg"}"#).photo.key
    #expect(FutureImage.Source.data(key: key) { Data() }.key != key)
  }

  @Test func `an unusable value does not fail the whole feed`() throws {
    let feed = try decode(
      Feed<Photo>.self, #"{"items": [{"photo": "https://shop.test/a.jpg"}, {"photo": "/b.jpg"}, {"photo": 3}, {"photo": null}, {}]}"#)
    #expect(feed.items.map { $0.photo?.url } == [LoaderFixture.url("a"), nil, nil, nil, nil])
    #expect(reported.map(\.key) == ["“/b.jpg” at items[1].photo", "3 at items[2].photo"])
  }

  @Test func `an unusable text becomes nil in an array of optionals, and is omitted from other collections`() throws {
    let gaps = try decode(FutureImage.FromURL<[FutureImage?]>.self, #"["", "/b.jpg", null, "https://shop.test/a.jpg"]"#)
    #expect(gaps.wrappedValue.map { $0?.url } == [nil, nil, nil, LoaderFixture.url("a")])
    let sizes = try decode(FutureImage.FromURL<[String: FutureImage]>.self, #"{"s": "", "m": "m.jpg", "l": "https://shop.test/a.jpg"}"#)
    #expect(sizes.wrappedValue.mapValues(\.url) == ["l": LoaderFixture.url("a")])
    let deep = try decode(FutureImage.FromURL<[String: [FutureImage]]>.self, #"{"all": ["https://shop.test/a.jpg", "m.jpg"]}"#)
    #expect(deep.wrappedValue["all"]?.map(\.url) == [LoaderFixture.url("a")])
    #expect(reported.map(\.key) == ["“/b.jpg” at [1]", "“m.jpg” at m", "“m.jpg” at all[1]"])
  }

  @Test func `decoding an unusable text with a strict recipe throws an error that contains the path and the text`() throws {
    struct Album: Decodable {
      @FutureImage.From<Strict, [FutureImage]> var photos: [FutureImage]
    }
    #expect {
      try decode(Feed<Album>.self, #"{"items": [{"photos": []}, {"photos": ["https://shop.test/a.jpg", "", "/b.jpg"]}]}"#)
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue } == ["items", "1", "photos", "2"]
        && context.debugDescription.contains("“/b.jpg” at items[1].photos[2]") && context.underlyingError is FutureImage.Failure
    }
    struct Required: Decodable {
      @FutureImage.From<Strict, FutureImage> var photo: FutureImage
    }
    #expect(throws: DecodingError.self) { try decode(Required.self, #"{"photo": ""}"#) }
    #expect(reported.isEmpty)
  }

  @Test(arguments: ["{}", "[]", #"{"url": "https://shop.test/a.jpg"}"#])
  func `an object or an array instead of a text throws only if the future is required or the recipe is strict`(_ json: String) throws {
    #expect {
      try decode(Required.self, #"{"photo": \#(json)}"#)
    } throws: { error in
      guard case DecodingError.typeMismatch(_, let context) = error else { return false }
      return context.codingPath.map(\.stringValue) == ["photo"]
    }
    #expect(try decode(Photo.self, #"{"photo": \#(json)}"#).photo == nil)
    let album = try decode(Album.self, #"{"photos": ["https://shop.test/a.jpg", \#(json)]}"#)
    #expect(album.photos.map(\.url) == [LoaderFixture.url("a")])
    let found = json == "[]" ? "a list" : "an object"
    #expect(reported.map(\.key) == ["\(found) at photo", "\(found) at photos[1]"])
    #expect(throws: DecodingError.self) { try decode(FutureImage.From<Strict, [FutureImage]>.self, "[\(json)]") }
  }

  struct Page: Decodable {
    @FutureImage.FromURL var photos: [FutureImage]
    @FutureImage.FromURL var more: [FutureImage]?
    @FutureImage.FromURL var sizes: [String: FutureImage]?
  }

  @Test(arguments: ["\"\"", "false", "null", "{}", "[]"])
  func `if a feed has false, null, or an empty value of another type for a collection, the property is nil if optional, otherwise empty`(
    _ json: String
  ) throws {
    let page = try decode(Page.self, #"{"photos": \#(json), "more": \#(json), "sizes": \#(json)}"#)
    #expect(page.photos.isEmpty)
    #expect(page.more?.isEmpty == (json == "[]" ? true : nil) && page.sizes?.isEmpty == (json == "{}" ? true : nil))
    #expect(reported.map(\.key).map { $0.hasSuffix(" at photos") } == (json == "[]" ? [] : [true]))
  }

  @Test func `a collection of the wrong shape is reported, and becomes nil if optional, otherwise empty`() throws {
    let json = #"{"photos": "https://shop.test/a.jpg", "more": {"a": "https://shop.test/a.jpg"}, "sizes": 7}"#
    let page = try decode(Page.self, json)
    #expect(page.photos.isEmpty && page.more == nil && page.sizes == nil)
    #expect(reported.map(\.key) == ["“https://shop.test/a.jpg” at photos", "an object at more", "7 at sizes"])
    #expect(reported.map(\.reason).first == .refused("the model declares a list there"))
  }

  @Test func `a nested collection that is null or has the wrong shape is omitted, or becomes nil if elements are optional`() throws {
    let rows = #"[["https://shop.test/a.jpg"], null, "https://shop.test/b.jpg", [null]]"#
    #expect(
      try decode(FutureImage.FromURL<[[FutureImage]]>.self, rows).wrappedValue.map { $0.map(\.url) } == [[LoaderFixture.url("a")], []])
    let named = #"{"a": ["https://shop.test/a.jpg"], "b": null, "small_c": {}}"#
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let albums = try decoder.decode(FutureImage.FromURL<[String: [FutureImage]?]>.self, from: Data(named.utf8)).wrappedValue
    #expect(albums.keys.sorted() == ["a", "b", "small_c"] && albums["a"]??.count == 1 && albums["small_c"] == .some(nil))
    #expect(reported.map(\.key) == ["“https://shop.test/b.jpg” at [2]"])
  }

  @Test(arguments: ["null", "NULL", "N/A", "none", "undefined", "-", "12", "007", "1.5"])
  func `a number or a word like N/A becomes nil, and is not resolved against the base URL`(_ text: String) throws {
    #expect(try decode(FutureImage.From<Shelf, FutureImage?>.self, "\"\(text)\"").wrappedValue == nil)
    let named = try decode(FutureImage.From<Shelf, FutureImage?>.self, "\"12.jpg\"").wrappedValue
    #expect(named?.url == URL(string: "http://shop.test/shelf/12.jpg"))
  }

  @Test func `without a base URL, the error for a word like N/A says that the word is not a URL, and not that it is relative`() throws {
    let failure = #expect(throws: FutureImage.Failure.self) { try FutureImage.SiblingFields().url(for: "N/A") }
    #expect(failure?.reason == .refused("it is not a URL; correct the feed, or make the URL in the recipe"))
  }

  @Test func `a recipe can declare that a text names no image`() throws {
    struct Person: Decodable {
      let hasLeft: Bool?
      @FutureImage.From<Portrait, FutureImage?> var portrait: FutureImage?
    }
    #expect(try decode(Person.self, #"{"portrait": "https://shop.test/a.jpg"}"#).portrait != nil)
    #expect(try decode(Person.self, #"{"portrait": "https://shop.test/nobody.png"}"#).portrait == nil)
    #expect(try decode(Person.self, #"{"portrait": "https://shop.test/a.jpg", "hasLeft": true}"#).portrait == nil)
    #expect(reported.isEmpty)
  }

  @Test func `models are encoded to the JSON from which they were decoded, and are equal if they show the same images`() throws {
    let json = #"{"photos":["","/x.jpg",null,7,1.5,false,"https://shop.test/a.jpg"]}"#
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let album = try decode(Album.self, json)
    #expect(String(decoding: try encoder.encode(album), as: UTF8.self) == json)
    #expect(try album == decode(Album.self, json))
    #expect(try album == decode(Album.self, #"{"photos":["https://shop.test/a.jpg"]}"#))
    #expect(try album != decode(Album.self, #"{"photos":["https://shop.test/b.jpg"]}"#))
    for json in [#"{"photo":""}"#, #"{"photo":7}"#] {
      #expect(String(decoding: try encoder.encode(decode(Photo.self, json)), as: UTF8.self) == json)
    }
  }

  @Test(arguments: [
    ("/x.jpg", "http://shop.test/x.jpg"), ("x.jpg", "http://shop.test/shelf/x.jpg"), ("//cdn.test/x.jpg", "http://cdn.test/x.jpg"),
    (" https://other.test/x.jpg\\n", "https://other.test/x.jpg"), ("7.jpg", "http://shop.test/shelf/7.jpg")
  ])
  func `a relative URL is resolved against the recipe's base URL`(_ text: String, _ url: String) throws {
    struct Book: Decodable {
      @FutureImage.From<Shelf, FutureImage?> var cover: FutureImage?
    }
    #expect(try decode(Book.self, #"{"cover": "\#(text)"}"#).cover?.url?.absoluteString == url)
  }

  @Test func `the decoder's base URL takes precedence over the recipe's base URL`() throws {
    let base = "https://decoder.test/feed/index.json"
    let cover = try decode(FutureImage.From<Shelf, FutureImage?>.self, #""x.jpg""#, base: base)
    #expect(cover.wrappedValue?.url?.absoluteString == "https://decoder.test/feed/x.jpg")
    #expect(try decode(Photo.self, #"{"photo": "x.jpg"}"#, base: base).photo?.url?.absoluteString == "https://decoder.test/feed/x.jpg")
    #expect(try decode(Photo.self, #"{"photo": ""}"#, base: base).photo == nil)
  }

  @Test func `a URL without a scheme uses https if there is no base URL`() throws {
    #expect(try decode(Photo.self, #"{"photo": "//cdn.test/x.jpg"}"#).photo?.url?.absoluteString == "https://cdn.test/x.jpg")
  }

  @Test(arguments: [
    ("ftp://ann:hunter2@shop.test/x.jpg", "“ftp://…@shop.test/x.jpg”"), ("http:ann:hunter2@shop.test", "“…@shop.test”"),
    ("//ann:hunter2@/x", "“//…@/x”"), ("ftp://shop.test/x?token=hunter2", "“ftp://shop.test/x?token=~f52fbd32b2b3b86f”")
  ])
  func `a message about a text contains no credentials`(_ text: String, _ quoted: String) {
    #expect(FutureImage.FeedText(text).quoted == quoted)
    #expect(!FutureImage.FeedText(text).quoted.contains("hunter2"))
  }

  @Test func `a message about a long text is short`() throws {
    let long = "ftp://shop.test/" + String(repeating: "x", count: 1 << 20)
    #expect(try decode(Photo.self, #"{"photo": "\#(long)"}"#).photo == nil)
    #expect((reported.first?.description.count ?? .max) < 400)
    #expect(FutureImage.FeedText("a\nb").quoted == "“a b”")
    let longest = String(repeating: "x", count: 120)
    #expect(FutureImage.FeedText(longest).quoted == "“\(longest)”")
    #expect(FutureImage.FeedText(longest + "x").quoted == "“\(longest)…”")
  }

  @Test func `an error that a recipe throws is the reason of the failure`() async throws {
    enum Rejecting: FutureImage.Recipe {
      struct Rejection: Error, CustomStringConvertible {
        var description: String { "not this one" }
      }
      static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source { throw Rejection() }
    }
    let future = FutureImage.From<Rejecting, FutureImage>("https://shop.test/a.jpg", loader: fixture.loader).wrappedValue
    let failure = await #expect(throws: FutureImage.Failure.self) { try await future.value }
    #expect(failure?.reason == .refused("not this one") && failure?.underlying is Rejecting.Rejection)
    #expect(failure?.description == "The image “https://shop.test/a.jpg” was not requested: not this one.")
  }
}
