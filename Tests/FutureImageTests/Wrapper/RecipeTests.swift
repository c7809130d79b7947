import Foundation
import FutureImageTesting
import Testing

@testable import FutureImage

@Suite(.tags(.threads), .timeLimit(.minutes(5))) struct RecipeTests {
  /// A feed that gives paths and ids instead of URLs.
  enum Shelf: FutureImage.Recipe {
    static var priority: FutureImage.Priority { .high }
    static var cachePolicy: FutureImage.CachePolicy? { .modelOnly }

    static func source(for text: String, beside siblings: FutureImage.Siblings) throws -> FutureImage.Source {
      if text.hasPrefix("local:") { return .file(URL(fileURLWithPath: String(text.dropFirst(6)))) }
      guard let url = URL(string: text, relativeTo: URL(string: "https://shop.test/shelf/")) else { throw CocoaError(.formatting) }
      return .url(url)
    }
  }

  struct Book: Decodable {
    @FutureImage.From<Shelf, FutureImage> var cover: FutureImage
  }

  let shop = Shop()

  func book(_ text: String) throws -> Book {
    let decoder = JSONDecoder()
    decoder.userInfo[FutureImage.loaderKey] = shop.loader
    return try decoder.decode(Book.self, from: Data(#"{"cover": "\#(text)"}"#.utf8))
  }

  @Test func `a relative URL is taken against the recipe's base`() async throws {
    #expect(try book("covers/7.jpg").cover.key == "https://shop.test/shelf/covers/7.jpg")
    #expect(try book("/7.jpg").cover.key == "https://shop.test/7.jpg")
  }

  @Test func `what a recipe makes a file of is read, and what came in as one is refused`() throws {
    #expect(try book("local:/photos/7.jpg").cover.key == "file file:///photos/7.jpg")
    #expect(try book("file:///etc/passwd").cover.url == nil)
  }

  @Test func `policy and priority are the recipe's`() throws {
    let cover = try book("7.jpg").cover
    #expect(cover.descriptor?.priority == .high)
    #expect(cover.descriptor?.disk == nil)
  }
}
