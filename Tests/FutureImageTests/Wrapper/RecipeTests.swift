import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RecipeTests {
  /// A recipe for a feed with relative URLs, and with the paths of files.
  enum Shelf: FutureImage.Recipe {
    static var priority: FutureImage.Priority { .high }
    static var cachePolicy: FutureImage.CachePolicy? { .modelOnly }

    static func source(for text: String, in fields: FutureImage.SiblingFields) throws -> FutureImage.Source {
      if text.hasPrefix("local:") { return .file(URL(fileURLWithPath: String(text.dropFirst(6)))) }
      guard let url = URL(string: text, relativeTo: URL(string: "https://shop.test/shelf/")) else { throw CocoaError(.formatting) }
      return .url(url)
    }
  }

  struct Book: Decodable {
    @FutureImage.From<Shelf, FutureImage> var cover: FutureImage
  }

  let fixture = LoaderFixture()

  func book(_ text: String) throws -> Book {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = fixture.loader
    return try decoder.decode(Book.self, from: Data(#"{"cover": "\#(text)"}"#.utf8))
  }

  @Test func `a recipe can resolve relative URLs when it makes a source`() async throws {
    #expect(try book("covers/7.jpg").cover.key == "https://shop.test/shelf/covers/7.jpg")
    #expect(try book("/7.jpg").cover.key == "https://shop.test/7.jpg")
  }

  @Test func `a file that a recipe names is allowed, and a file URL in a feed is refused`() throws {
    #expect(try book("local:/photos/7.jpg").cover.key == "file file:///photos/7.jpg")
    #expect(try book("file:///etc/passwd").cover.url == nil)
  }

  @Test func `a future has the cache policy and the priority of its recipe`() throws {
    let cover = try book("7.jpg").cover
    #expect(cover.descriptor?.priority == .high)
    // The policy `modelOnly` has no disk tier.
    #expect(cover.descriptor?.disk == nil)
  }
}
