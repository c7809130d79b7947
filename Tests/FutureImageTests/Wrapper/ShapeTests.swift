import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The shapes of wrapped properties, such as arrays, dictionaries, and optional values.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct ShapeTests {
  struct Gallery: Codable, Hashable, Sendable {
    @FutureImage.FromURL var pictures: [FutureImage]
    @FutureImage.FromURL var sizes: [String: FutureImage]
    @FutureImage.FromURL var more: [FutureImage]?
    @FutureImage.FromURL var gaps: [FutureImage?]
  }

  final class Page: Decodable {
    let id: Int
    @FutureImage.FromURL var picture: FutureImage
  }

  static let json =
    #"{"gaps":["https://shop.test/g.jpg",null],"pictures":["https://shop.test/a.jpg","https://shop.test/b.jpg"],"sizes":{"l":"https://shop.test/l.jpg"}}"#
  let fixture = LoaderFixture()

  func decode<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(type, from: Data(json.utf8))
  }

  @Test func `collections of futures preserve the order, the keys, and the gaps of the JSON`() throws {
    let gallery = try decode(Gallery.self, Self.json)
    #expect(gallery.pictures.map(\.key) == ["https://shop.test/a.jpg", "https://shop.test/b.jpg"])
    #expect(gallery.sizes["l"]?.key == "https://shop.test/l.jpg")
    #expect(gallery.more == nil)
    #expect(gallery.gaps.map { $0?.key } == ["https://shop.test/g.jpg", nil])
  }

  @Test func `a collection and a copy of the collection return the same futures`() throws {
    let gallery = try decode(Gallery.self, Self.json)
    let copy = gallery
    #expect(zip(gallery.pictures, copy.pictures).allSatisfy { $0 === $1 })
    #expect(gallery.sizes["l"] === copy.sizes["l"])
  }

  @Test func `collections encode back to their original JSON`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(String(decoding: try encoder.encode(decode(Gallery.self, Self.json)), as: UTF8.self) == Self.json)
  }

  @Test func `empty collections are decoded as empty`() throws {
    let gallery = try decode(Gallery.self, #"{"pictures": [], "sizes": {}, "more": [], "gaps": []}"#)
    #expect(gallery.pictures.isEmpty && gallery.sizes.isEmpty && gallery.more?.isEmpty == true)
  }

  @Test func `decoding a model without a required array throws`() {
    #expect(throws: DecodingError.self) { try decode(Gallery.self, #"{"sizes": {}, "gaps": []}"#) }
  }

  @Test func `a property of a class can be wrapped, like a property of a struct`() throws {
    let page = try decode(Page.self, #"{"id": 1, "picture": "https://shop.test/a.jpg"}"#)
    #expect(page.picture === page.picture)
  }

  @Test func `thousands of identical URLs cause one request`() async throws {
    let texts = Array(repeating: #""https://shop.test/a.jpg""#, count: 3_000).joined(separator: ",")
    let gallery = try decode(Gallery.self, #"{"pictures": [\#(texts)], "sizes": {}, "gaps": []}"#)
    let prefetch = gallery.pictures.prefetch(\.self)
    await fixture.serve("a", SampleImage.jpeg())
    #expect(gallery.pictures.count == 3_000)
    #expect(fixture.held.requests.count == 1)
    prefetch.cancel()
  }

  @Test func `models can be decoded and read on many threads`() async throws {
    let galleries = try await withThrowingTaskGroup(of: Gallery.self) { group in
      for _ in 0..<40 { group.addTask { try decode(Gallery.self, Self.json) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let keys = await withTaskGroup(of: [String?].self) { group in
      for gallery in galleries { for _ in 0..<4 { group.addTask { gallery.pictures.map(\.key) } } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
    #expect(Set(galleries).count == 1)
  }

  @Test func `futures can be released inside their own callbacks`() async {
    for round in 0..<50 {
      var future: FutureImage? = fixture.future("\(round)")
      let holder = Lock<FutureImage?>(future)
      await MainActor.run {
        future?.whenReady { _ in holder.withLock { $0.take() }.map { _ = $0 } }
        let view = imageView(10)
        view.futureImage = future
      }
      future = nil
      await fixture.held.waitForHeld()
      fixture.held.resolve(with: SampleImage.jpeg())
      await fixture.loader.waitForIdle()
      #expect(holder.withLock { $0 } == nil)
    }
  }

  @Test func `without a decoder, a property can be created from a text`() throws {
    let photo = FutureImage.FromURL<FutureImage>("https://shop.test/a.jpg", loader: fixture.loader)
    #expect(photo.wrappedValue.key == "https://shop.test/a.jpg")
  }
}
