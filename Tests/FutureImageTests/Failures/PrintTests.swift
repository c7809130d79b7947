import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

/// The output of `print` and `dump` for futures, and for models that wrap them.
@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct PrintTests {
  private struct Item: Decodable {
    let title: String
    @FutureImage.FromURL var photo: FutureImage
  }

  private struct Draft: Decodable {
    @FutureImage.FromURL var cover: FutureImage?
  }

  private struct Album: Decodable {
    @FutureImage.FromURL var photos: [FutureImage]
  }

  private let fixture = LoaderFixture()

  private func decode<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(type, from: Data(json.utf8))
  }

  private func dumped(_ value: some Any) -> String {
    var text = ""
    dump(value, to: &text)
    return text
  }

  @Test func `a model is printed without creating its future`() throws {
    let item = try decode(Item.self, #"{"title": "Dunes", "photo": "https://shop.test/a.jpg"}"#)
    #expect("\(item)" == #"Item(title: "Dunes", _photo: FutureImage(https://shop.test/a.jpg, not read))"#)
    #expect(dumped(item).contains("FutureImage(https://shop.test/a.jpg, not read)"))
    #expect(fixture.held.requests.isEmpty)
    #expect(fixture.loader.statistics.requests == 0)
  }

  @Test func `a model is printed with its future's phase`() async throws {
    let item = try decode(Item.self, #"{"title": "Dunes", "photo": "https://shop.test/a.jpg"}"#)
    let future = item.photo
    await fixture.held.waitForHeld()
    #expect("\(item)" == #"Item(title: "Dunes", _photo: FutureImage(https://shop.test/a.jpg, loading))"#)
    await fixture.serve()
    #expect("\(future)" == "FutureImage(https://shop.test/a.jpg, fetched, 1200 × 900 pixels)")
    let image = try await future.value
    #expect(String(reflecting: future) == "FutureImage(https://shop.test/a.jpg, ready, 1200 × 900 pixels)")
    withExtendedLifetime(image) {}
  }

  @Test func `a missing image is printed as nil`() throws {
    for json in ["{}", #"{"cover": ""}"#, #"{"cover": null}"#] {
      let draft = try decode(Draft.self, json)
      #expect("\(draft)" == "Draft(_cover: nil)")
    }
    let draft = try decode(Draft.self, #"{"cover": "https://shop.test/a.jpg"}"#)
    #expect("\(draft)" == "Draft(_cover: FutureImage(https://shop.test/a.jpg, not read))")
  }

  @Test func `a collection is printed with its elements, and printing sends no request`() throws {
    let album = try decode(Album.self, #"{"photos": ["https://shop.test/a.jpg", "/b.jpg", "https://shop.test/c.jpg"]}"#)
    let unread = "Album(_photos: [FutureImage(https://shop.test/a.jpg, not read), nil, FutureImage(https://shop.test/c.jpg, not read)])"
    #expect("\(album)" == unread)
    let photos = album.photos
    #expect("\(photos[0])" == "FutureImage(https://shop.test/a.jpg, not requested)")
    #expect(fixture.held.requests.isEmpty)
  }

  @Test func `a future made from text without a usable URL is printed with that text`() async throws {
    let item = try decode(Item.self, #"{"title": "Dunes", "photo": "/x.jpg"}"#)
    #expect("\(item)" == #"Item(title: "Dunes", _photo: FutureImage(“/x.jpg” at photo, not read))"#)
    await #expect(throws: FutureImage.Failure.self) { try await item.photo.value }
    #expect("\(item)" == #"Item(title: "Dunes", _photo: FutureImage(“/x.jpg” at photo, failed: refused))"#)
  }

  @Test func `if a cache path is not a file URL, the failure is printed without credentials`() async throws {
    for text in ["https://ann:hunter2@shop.test/a.jpg?token=hunter2", "data:text/plain,hunter2"] {
      let tier = FutureImage.FileTier(try #require(URL(string: text)))
      let failure = #expect(throws: FutureImage.FileFailure.self) { try tier.waitForEntry(forKey: "a") }
      let fault = try #require(failure)
      let outputs = ["\(fault)", fault.localizedDescription, dumped(fault), fault.path]
      for output in outputs { #expect(!output.contains("hunter2"), "\(output)") }
      #expect(fault.path.hasPrefix(text.hasPrefix("data") ? "data:" : "https://shop.test/a.jpg"))
    }
  }

  @Test func `a failed future is printed with the short label of its failure`() async throws {
    let future = fixture.future()
    await fixture.held.waitForHeld()
    fixture.held.answer(nil, FutureImage.Response(status: 404))
    await fixture.loader.waitForIdle()
    #expect("\(future)" == "FutureImage(https://shop.test/a.jpg, failed: status 404)")
  }

  @Test func `a future can be printed even if it has no source or is a copy with zeroed memory`() {
    #expect("\(FutureImage())".isEmpty == false)
    #if canImport(UIKitStandIn) && !canImport(UIKit)
    #expect("\(fixture.future().zeroedCopy())".contains("shop.test") == false)
    #endif
  }

  @Test func `nothing that is printed or dumped contains credentials`() throws {
    let text = "https://ann:hunter2@shop.test/a.jpg?token=hunter2"
    let url = try #require(URL(string: text))
    let source = FutureImage.Source.url(url, headers: ["Authorization": "hunter2"])
    let future = FutureImage(source, loader: fixture.loader)
    let item = try decode(Item.self, #"{"title": "Dunes", "photo": "\#(text)"}"#)
    let unread = [dumped(item), "\(item)", "\(FutureImage.FeedText(text))", dumped(FutureImage.FeedText(text))]
    let read = [
      "\(item.photo)", dumped(item), "\(source)", dumped(source), "\(future)", future.debugDescription, dumped(future), dumped([source])
    ]
    for output in unread + read { #expect(!output.contains("hunter2"), "\(output)") }
    #expect("\(source)" == source.key)
  }

  @Test func `a request is printed without credentials or the values of its header fields`() throws {
    let url = try #require(URL(string: "https://ann:hunter2@shop.test/a.jpg?token=hunter2&size=3"))
    var request = FutureImage.Request(url: url, headers: ["Authorization": "Bearer hunter2", "If-None-Match": "hunter2"])
    for output in ["\(request)", String(reflecting: request), dumped(request), dumped([request]), "\([request])", dumped(Box(request))] {
      #expect(!output.contains("hunter2"), "\(output)")
    }
    #expect("\(request)".hasPrefix("Request(https://shop.test/a.jpg?"))
    #expect("\(request)".hasSuffix(", header fields: Authorization, If-None-Match)"))
    request.headers = [:]
    request.url = LoaderFixture.url()
    #expect("\(request)" == "Request(https://shop.test/a.jpg)")
    request.url = try #require(URL(string: "data:text/plain,hunter2"))
    #expect("\(request)" == "Request(a data URL)")
  }

  /// An app's type that contains a request.
  private struct Box {
    let request: FutureImage.Request

    init(_ request: FutureImage.Request) { self.request = request }
  }

  @Test func `a future can be printed on many threads while it loads`() async throws {
    let future = fixture.future()
    async let image = future.value
    await fixture.held.waitForHeld()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<200 where "\(future)".isEmpty { Issue.record("the description is empty") } }
      }
      fixture.held.resolve(with: SampleImage.jpeg(120, 90))
    }
    _ = try await image
  }
}
