import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct FromTests {
  enum Print: FutureImage.Recipe {
    static func size(in fields: FutureImage.SiblingFields) -> CGSize? { CGSize(width: 300, height: 200) }
  }
  typealias PrintImage<Value: FutureImage.FutureContainer> = FutureImage.From<Print, Value>

  struct Item: Codable, Hashable, Sendable {
    let id: Int
    @FutureImage.FromURL var photo: FutureImage
    @PrintImage var cover: FutureImage?
  }

  final class LazyItem: Decodable {
    let url: URL
    private(set) lazy var photo = FutureImage(at: url)
  }

  let fixture = LoaderFixture()

  func decode(_ json: String) throws -> Item { try decode(Item.self, json) }

  func decode<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(type, from: Data(json.utf8))
  }

  @Test func `a decoded model fetches nothing until its future is read`() async throws {
    let item = try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg", "cover": "https://shop.test/b.jpg"}"#)
    #expect(fixture.loader.statistics.futures == 0)
    let future = item.photo
    await fixture.held.waitForRequests()
    #expect(fixture.held.requests.map(\.url) == [LoaderFixture.url("a")])
    withExtendedLifetime(future) {}
  }

  @Test func `all copies of a model have the same future`() throws {
    let item = try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg"}"#)
    let copies = Array(repeating: item, count: 3)
    let before = copies[0].photo
    #expect(copies.allSatisfy { $0.photo === before })
    #expect(item.photo === before)
  }

  @Test func `an optional future is nil if its key is absent or its value is null`() throws {
    #expect(try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg"}"#).cover == nil)
    #expect(try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg", "cover": null}"#).cover == nil)
  }

  @Test func `a future has the size that its recipe gives`() throws {
    let item = try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg", "cover": "https://shop.test/b.jpg"}"#)
    #expect(item.cover?.size == CGSize(width: 300, height: 200))
    #expect(item.photo.size == .zero)
  }

  @Test func `a model encodes the original texts of its URLs, and omits absent URLs`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for json in [
      #"{"id":1,"photo":"https://Shop.test/a%20b.jpg"}"#,
      #"{"cover":"https://shop.test/b.jpg","id":1,"photo":"https://shop.test/a.jpg"}"#
    ] {
      #expect(String(decoding: try encoder.encode(decode(json)), as: UTF8.self) == json)
    }
  }

  @Test func `models are equal if the texts of their URLs are equal, and loading does not change their hashes`() async throws {
    let json = #"{"id": 1, "photo": "https://shop.test/a.jpg"}"#
    let (first, second) = (try decode(json), try decode(json))
    let hash = first.hashValue
    #expect(first == second && first.photo !== second.photo)
    await fixture.serve()
    #expect(first == second && first.hashValue == hash)
    #expect(try first != decode(#"{"id": 1, "photo": "https://shop.test/b.jpg"}"#))
  }

  @Test func `decoding a model without a required key throws`() {
    #expect {
      try decode(#"{"id": 1}"#)
    } throws: {
      if case DecodingError.keyNotFound(let key, _) = $0 { key.stringValue == "photo" } else { false }
    }
  }

  @Test func `the transfer ends when the last copy of the model is released`() async throws {
    var items = [try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg"}"#)]
    items.append(items[0])
    _ = items[0].photo
    await fixture.held.waitForRequests()
    items.removeFirst()
    #expect(fixture.held.cancelledCount == 0)
    items.removeFirst()
    await fixture.held.waitForCancellations()
  }

  @Test func `many threads that read a property at once get the same future, which is requested once`() async throws {
    let item = try decode(#"{"id": 1, "photo": "https://shop.test/a.jpg"}"#)
    let futures = await withTaskGroup(of: FutureImage.self) { group in
      for _ in 0..<50 { group.addTask { item.photo } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(futures.allSatisfy { $0 === futures[0] })
    await fixture.held.waitForRequests()
    #expect(fixture.held.requests.count == 1)
  }

  @Test func `a lazy property of a class returns the same future at each read`() throws {
    let item = try decode(LazyItem.self, #"{"url": "data:,"}"#)
    #expect(item.photo === item.photo)
  }
}
